/** What the metadata of a file says about its book, and how it becomes text that the service accepts. */
import { canonicalizeLanguageCode } from "../../../lib/bcp47.ts";
import { withFewMarks } from "../../../lib/text.ts";

/** Of a file, without its cover. */
export interface FileMetadata {
  title?: string | undefined;
  /** Canonical, as the file has it. */
  languageCode?: string | undefined;
  authors: string[];
  contributors: Contributor[];
  description?: string | undefined;
  publisher?: string | undefined;
  license?: string | undefined;
  /** 13 digits. */
  isbn?: string | undefined;
  tags: string[];
  series?: Series | undefined;
  /** Whether it has a cover, which is bounded. */
  hasCover: boolean;
}

export interface Metadata extends Omit<FileMetadata, "hasCover"> {
  /** Reads the cover in the file. */
  cover?: (() => Promise<Buffer>) | undefined;
}

export interface Contributor {
  name: string;
  role: string;
}

export interface Series {
  name: string;
  position?: number | undefined;
}

export const NO_METADATA: Metadata = { authors: [], contributors: [], tags: [] };

/** Lengths in UTF-16 units, as in the schemas. */
export const MAX_LINE = 200;
/** Of tags and roles. */
export const MAX_WORD = 100;
export const MAX_TITLE = 500;
export const MAX_DESCRIPTION = 10_000;
export const MAX_ITEMS = 20;

/** Composing shortens a text to a third at most. */
const cut = (text: string, max: number): string => text.slice(0, 4 * max);

/** At most `max` units, not ending within a character. */
const fitText = (text: string, max: number): string => {
  const composed = withFewMarks(text.toWellFormed()).trim().normalize("NFC");
  return composed.length <= max
    ? composed
    : composed
        .slice(0, max)
        .replace(/[\ud800-\udbff]$/, "")
        .trim();
};

/** One line; undefined if nothing is left. */
export function toLine(text: string | undefined, max = MAX_LINE): string | undefined {
  if (text === undefined) return undefined;
  return fitText(cut(text, max).replace(/[\p{Cc}\s]+/gu, " "), max) || undefined;
}

/** Each line once. */
export const toLines = (texts: readonly (string | undefined)[], max = MAX_LINE): string[] =>
  [...new Set(texts.map((text) => toLine(text, max)).filter((line) => line !== undefined))].slice(
    0,
    MAX_ITEMS,
  );

/** Text of several lines; HTML becomes plain text. */
export function toParagraphs(text: string | undefined, max = MAX_DESCRIPTION): string | undefined {
  if (text === undefined) return undefined;
  const given = cut(text, max);
  const plain = /<\/?[a-z]/i.test(given) ? removeTags(given) : given;
  const clean = plain
    .replace(/\r\n?/g, "\n")
    .replace(/[\p{Cc}--[\n]]+/gv, " ")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n");
  return fitText(clean, max) || undefined;
}

const removeTags = (html: string): string =>
  html
    .replace(/\s+/g, " ")
    .replace(/<(?:br|\/li|\/tr)\b[^<>]*>/gi, "\n")
    .replace(/<\/(?:p|div|h[1-6]|ul|ol|blockquote)\s*>/gi, "\n\n")
    .replace(/<[^<>]*>/g, "")
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (entity, decimal, hex, name) => {
      const code = decimal ? Number(decimal) : Number.parseInt(hex ?? "", 16);
      if (code <= 0x10ffff) return String.fromCodePoint(code);
      return ENTITIES.get(String(name).toLowerCase()) ?? entity;
    });

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
]);

/** `en_US` is `en-US`; undefined for what isn't a code, such as `English`, and for "undetermined". */
export function parseCode(text: string | undefined): string | undefined {
  const code = text && canonicalizeLanguageCode(text.trim().slice(0, MAX_LINE).replaceAll("_", "-"));
  return code === undefined || code === "" || NO_LANGUAGE.test(code) ? undefined : code;
}

/** ISO 639-2: multiple, undetermined, no linguistic content; `en-` private use of writers that know no language. */
const NO_LANGUAGE = /^(?:mul|und|zxx|mis)\b/;

/** `2`, `2.0` and `1.5`; undefined for anything else. */
export function parsePosition(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,5}(?:\.\d{1,4})?\s*$/.test(text) ? Number(text) : undefined;
}
