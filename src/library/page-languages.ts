/** The languages of readers' pages: their texts, and the choice of one. */
import type { z } from "zod";
import { OperatorError } from "../errors.ts";
import { canonicalizeLanguageCode } from "../lib/bcp47.ts";
import { chooseLanguage } from "../lib/choose-language.ts";
import { type PageTexts, pageTexts } from "../schemas/page-texts.schemas.ts";
import { explain } from "../schemas/parse.ts";

/** A file with texts. */
interface PageFile {
  path: string;
  /** Without the extension. */
  name: string;
  /** The parsed JSON. */
  content: unknown;
}

export interface PageLanguage {
  /** For the `lang` attribute. */
  code: string;
  texts: PageTexts;
}

export interface PageLanguages {
  /** By code in lower case. */
  byCode: ReadonlyMap<string, PageLanguage>;
  /** The language of readers for whose languages there are no texts. */
  fallback: PageLanguage;
}

/**
 * A file replaces the texts of earlier files of its language; the first file of a language must contain all texts.
 * @throws OperatorError for a file that isn't named by a language code, or that has a text missing or not valid
 */
export function createPageLanguages(files: readonly PageFile[]): PageLanguages {
  const byCode = new Map<string, PageLanguage>();
  for (const { path, name, content } of files) {
    const code = canonicalizeLanguageCode(name);
    if (code === undefined)
      throw new OperatorError(`${path}: the name must be a language code, as in ar.json`);
    const key = code.toLowerCase();
    const earlier = byCode.get(key)?.texts;
    byCode.set(key, {
      code,
      texts: earlier ? parseTexts(path, mergeValues(earlier, content)) : findTexts(path, content),
    });
  }
  const fallback = byCode.get("en");
  if (!fallback) throw new OperatorError("assets/pages/en.json is missing");
  return { byCode, fallback };
}

/** By content: the texts of the service are parsed once, however often they are used. */
const parsed = new WeakMap<object, PageTexts>();

function findTexts(path: string, content: unknown): PageTexts {
  if (!isObject(content)) return parseTexts(path, content);
  const texts = parsed.get(content) ?? parseTexts(path, content);
  parsed.set(content, texts);
  return texts;
}

/** @throws OperatorError with all reasons */
function parseTexts(path: string, given: unknown): PageTexts {
  const texts = pageTexts.safeParse(given, { error: explain });
  if (texts.success) return texts.data;
  const reasons = texts.error.issues.map((issue) =>
    `${issue.path.join(".")} ${issue.message}${nameUnknown(issue)}`.trim(),
  );
  throw new OperatorError(`${path}: ${reasons.join(", ")}`);
}

/** A misspelt name would otherwise have to be looked for. */
const nameUnknown = (issue: z.core.$ZodIssue): string =>
  issue.code === "unrecognized_keys" ? `: ${issue.keys.join(", ")}` : "";

/** The object with the values of another one in place of its own, at every depth. */
function mergeValues(original: unknown, own: unknown): unknown {
  if (!isObject(original) || !isObject(own)) return own;
  const values = Object.entries(own).map(([name, value]) => [name, mergeValues(original[name], value)]);
  return { ...original, ...Object.fromEntries(values) };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** @param wanted language codes by preference */
export function choosePageLanguage(
  wanted: readonly string[],
  { byCode, fallback }: PageLanguages,
): PageLanguage {
  const code = chooseLanguage(wanted, [...byCode.keys()]);
  return (code === undefined ? undefined : byCode.get(code)) ?? fallback;
}
