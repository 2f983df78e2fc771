/** The texts of readers' pages, and the choice of their language. */
import type { PageFile } from "../../adapters/page-files.ts";
import { OperatorError } from "../../errors.ts";
import { canonicalLanguageCode, directionOf } from "../../lib/bcp47.ts";
import { type PageTexts, pageTexts } from "../../schemas/page-texts.schemas.ts";
import { explain } from "../../schemas/parse.ts";
import { ar } from "./ar.ts";
import { bo } from "./bo.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fa } from "./fa.ts";
import { fr } from "./fr.ts";
import { hi } from "./hi.ts";
import { id } from "./id.ts";
import { ja } from "./ja.ts";
import { pt } from "./pt.ts";
import { ru } from "./ru.ts";
import { sw } from "./sw.ts";
import { tr } from "./tr.ts";
import { zh } from "./zh.ts";

export const TEXTS: Readonly<Record<string, PageTexts>> = {
  ar,
  bo,
  de,
  en,
  es,
  fa,
  fr,
  hi,
  id,
  ja,
  pt,
  ru,
  sw,
  tr,
  zh,
};

export interface PageLanguage {
  /** For the `lang` attribute. */
  code: string;
  direction: "ltr" | "rtl";
  texts: PageTexts;
}

/** The languages of readers' pages, by code in lower case. */
export type PageLanguages = ReadonlyMap<string, PageLanguage>;

const entryOf = (code: string, texts: PageTexts): [string, PageLanguage] => [
  code.toLowerCase(),
  { code, direction: directionOf(code), texts },
];

export const SHIPPED: PageLanguages = new Map(
  Object.entries(TEXTS).map(([code, texts]) => entryOf(code, texts)),
);

/**
 * The languages of the service, and the operator's. A file replaces the texts that it contains; a file of another
 * language must contain all texts.
 * @throws OperatorError for a file that isn't named by a language code, or that has a text missing or not valid
 */
export function pageLanguagesWith(own: readonly PageFile[]): PageLanguages {
  const entries = own.map(({ path, name, content }) => {
    const code = canonicalLanguageCode(name);
    if (code === undefined)
      throw new OperatorError(`${path}: the name must be a language code, as in ar.json`);
    const given = replaced(SHIPPED.get(code.toLowerCase())?.texts, content);
    const texts = pageTexts.safeParse(given, { error: explain });
    if (texts.success) return entryOf(code, texts.data);
    const reasons = texts.error.issues.map((issue) => [issue.path.join("."), issue.message].join(" ").trim());
    throw new OperatorError(`${path}: ${reasons.join(", ")}`);
  });
  return new Map([...SHIPPED, ...entries]);
}

/** The object with the values of another one in place of its own, at every depth. */
function replaced(original: unknown, own: unknown): unknown {
  if (!isObject(original) || !isObject(own)) return own;
  const values = Object.entries(own).map(([name, value]) => [name, replaced(original[name], value)]);
  return { ...original, ...Object.fromEntries(values) };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const ENGLISH: PageLanguage = { code: "en", direction: "ltr", texts: en };

/** @param wanted language codes by preference; `zh-Hant-TW` falls back to `zh-Hant`, then to `zh` (RFC 4647, 3.4) */
export function pageLanguageOf(wanted: readonly string[], languages: PageLanguages = SHIPPED): PageLanguage {
  const found = wanted.flatMap(withParents).map((code) => languages.get(code));
  return found.find((language) => language !== undefined) ?? languages.get("en") ?? ENGLISH;
}

/** Longer than any language code. */
const MAX_CODE = 35;

function withParents(code: string): string[] {
  const subtags = code.slice(0, MAX_CODE).toLowerCase().split("-");
  return subtags.map((_, index) => subtags.slice(0, subtags.length - index).join("-"));
}
