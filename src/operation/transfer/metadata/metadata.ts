/** What the metadata of a file says about its book, and how it becomes text that the service accepts. */
import { canonicalizeLanguageCode } from "../../../lib/bcp47.ts";
import { decodeReferences, findNamedCharacter, findNumberedCharacter } from "../../../lib/entities.ts";
import { findNamedLanguage } from "../../../lib/language-names.ts";
import { dropInvisible } from "../../../lib/one-line.ts";
import { foldForSearch, withFewMarks } from "../../../lib/text.ts";
import { isMadeUpTitle, isNoName } from "./made-up.ts";

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
  /** Whether it names a cover that isn't there. */
  coverIsMissing?: boolean | undefined;
}

export interface Metadata extends Omit<FileMetadata, "hasCover"> {
  /** Reads the cover in the file. */
  cover?: (() => Promise<Buffer>) | undefined;
  /** Why nothing is known: the metadata can't be read. A sentence. */
  unreadable?: string | undefined;
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

/** One line; undefined if nothing is left, or no letter whose encoding is known. */
export function toLine(text: string | undefined, max = MAX_LINE): string | undefined {
  if (text === undefined) return undefined;
  const line = fitText(removeMarkup(cut(text, max)).replace(/[\p{Cc}\s]+/gu, " "), max);
  return line.includes("\ufffd") && !/[\p{L}\p{N}]/u.test(line) ? undefined : line || undefined;
}

/** What programs escape once too often: `Tom &amp; <i>Jerry</i>` as a text. */
const removeMarkup = (text: string): string =>
  /[<&]/.test(text) ? decodeReferences(text.replace(BREAKS, " ").replace(INLINE_TAGS, "")) : text;

const BREAKS = /<\/?(?:br|p|div|h[1-6])(?:\s[^<>]{0,200})?\/?>/gi;
const INLINE_TAGS =
  /<\/?(?:a|b|i|u|s|em|strong|sub|sup|small|big|span|font|cite|q|bdi|bdo)(?:\s[^<>]{0,200})?\/?>/gi;

/** Each line once. */
export const toLines = (texts: readonly (string | undefined)[], max = MAX_LINE): string[] =>
  [...new Set(texts.map((text) => toLine(text, max)).filter((line) => line !== undefined))].slice(
    0,
    MAX_ITEMS,
  );

/** Names of people; without what programs write where none is known. */
export const toNames = (texts: readonly (string | undefined)[]): string[] =>
  toLines(texts.filter((text) => !isNoName(text ?? "")));

/** The title; undefined if there is none, or a program has made it up. */
export function toTitle(text: string | undefined): string | undefined {
  const title = toLine(text, MAX_TITLE);
  return title === undefined || isMadeUpTitle(title) ? undefined : title;
}

const MAX_SEPARATED = 4000;

/**
 * The names in a text: word processors write several into one. A comma also separates a family name from a given name, so
 * that only a semicolon is certain. The end of a character reference is none.
 */
export const splitNames = (text: string): string[] =>
  removeMarkup(text.slice(0, MAX_SEPARATED)).split(/[;；؛]/);

/** The keywords in a text. */
export const splitWords = (text: string): string[] =>
  removeMarkup(text.slice(0, MAX_SEPARATED)).split(/[,;，；、،؛]/);

/** Text of several lines; HTML becomes plain text. */
export function toParagraphs(text: string | undefined, max = MAX_DESCRIPTION): string | undefined {
  if (text === undefined) return undefined;
  const given = cut(text, max);
  const plain = isMarked(given) ? removeTags(given) : given;
  const clean = plain
    .replace(/\r\n?/g, "\n")
    .replace(/[\p{Cc}--[\n]]+/gv, " ")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n");
  return fitText(clean, max) || undefined;
}

/** HTML in the text, or the ends of lines and paragraphs that the parser of XML has found. */
const isMarked = (text: string): boolean => /<\/?[a-z]|[\u2028\u2029]/i.test(text);

const removeTags = (html: string): string =>
  html
    .replace(/[^\S\u2028\u2029]+/g, " ")
    .replace(/<(script|style)\b[^<>]*>[^<]*<\/\1\s*>/gi, "")
    .replace(/\u2028|<(?:br|\/li|\/tr)\b[^<>]*>/gi, "\n")
    .replace(/\u2029|<\/(?:p|div|h[1-6]|ul|ol|blockquote)\s*>/gi, "\n\n")
    .replace(/<[^<>]*>/g, "")
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}\d{0,2}));/gi, (entity, decimal, hex, name) => {
      if (name)
        return (findNamedCharacter(name) ?? findNamedCharacter(String(name).toLowerCase()) ?? entity).replace(
          "\u00a0",
          " ",
        );
      return findNumberedCharacter(decimal ? Number(decimal) : Number.parseInt(hex, 16)) ?? "";
    });

/**
 * `en_US.UTF-8` is `en-US`, `sr_RS@latin` is `sr-Latn-RS`, and `English (US)` is `en`; undefined for what is no language,
 * and for "undetermined".
 */
export function parseCode(text: string | undefined): string | undefined {
  const given = dropInvisible(text?.slice(0, MAX_LINE).normalize("NFKC") ?? "").trim();
  const written = given
    .replace(POSIX, "")
    .replace(/[_-]+(?:posix)?$/i, "")
    .replaceAll("_", "-");
  const named = () => findNamedLanguage(given) ?? findNamedLanguage(given.replace(/\s*[([].*$/, ""));
  const code = canonicalizeLanguageCode(written) ?? named()?.code;
  if (code === undefined || NO_LANGUAGE.test(code)) return undefined;
  const script = SCRIPTS.get(/@(\w+)$/.exec(given)?.[1]?.toLowerCase() ?? "");
  return script === undefined ? code : new Intl.Locale(code, { script }).toString();
}

/** The encoding and the modifier of a POSIX locale. */
const POSIX = /[.@][\w.@-]*$/;
/** The modifiers that name a script. */
const SCRIPTS = new Map([
  ["latin", "Latn"],
  ["cyrillic", "Cyrl"],
  ["devanagari", "Deva"],
]);

/** The first that is a language. One text can have several. */
export const findCode = (texts: readonly (string | undefined)[]): string | undefined =>
  texts
    .flatMap((text) => [
      text,
      ...(text
        ?.slice(0, MAX_LINE)
        .replaceAll("\0", ";")
        .split(/[,;/|]| {2,}| and /) ?? []),
    ])
    .map(parseCode)
    .find((code) => code !== undefined);

/** ISO 639-2: multiple, undetermined, no linguistic content; `xxx` is ID3's unknown one; `C` and `POSIX` are locales without a language. */
const NO_LANGUAGE = /^(?:mul|und|zxx|mis|qaa|xxx|posix)\b/i;

/** The only number of a text: `2`, `2.0`, `1,5`, `#2`, `Vol. 2`, `٢`; undefined for anything else. */
export function parsePosition(text: string | undefined): number | undefined {
  const number = POSITION.exec(foldForSearch(text?.slice(0, MAX_LINE) ?? ""))?.[1];
  return number === undefined ? undefined : Number(number.replace(",", "."));
}

/** With a word or a sign in front. A hyphen is a minus sign, or one of a range. */
const POSITION = /^(?:[\p{L}\p{M}#]+[. ]*)?(\d{1,5}(?:[.,]\d{1,4})?)\.?$/u;
