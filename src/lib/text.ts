/** Text as search sees it: without case, accents and invisible characters, and safe inside LIKE. */

/**
 * The scripts in which marks are accents or optional vowel points. Elsewhere a mark is a letter of its own: without
 * vowel signs different Hindi, Tibetan or Thai words would become one, without dakuten different Japanese ones.
 */
const SCRIPTS_WITH_ACCENTS = [
  "Latin",
  "Greek",
  "Cyrillic",
  "Armenian",
  "Coptic",
  "Hebrew",
  "Arabic",
  "Syriac",
];
const ACCENTS = new RegExp(
  `(?<=[${SCRIPTS_WITH_ACCENTS.map((script) => `\\p{Script=${script}}`).join("")}])[\\p{Mn}\\p{Me}]+`,
  "gu",
);

/** A lone space, as nearly all are, is left as it is. */
const ODD_SPACE = /\s{2,}|[^\S ]/g;

/** Joiners, soft hyphens, direction and variation marks, and the Arabic tatweel, which only stretches a word. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u{640}]+/gu;

/** Small letters without a decomposition that are spelled alike in search and in slugs. */
export const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ħ: "h",
  ı: "i",
};

/** Letters and signs with a plain form that Unicode normalisation doesn't find. */
const PLAIN_FORMS: Readonly<Record<string, string>> = {
  ...PLAIN_LETTERS,
  ς: "σ",
  "‘": "'",
  "’": "'",
  ʼ: "'",
};
const WITH_PLAIN_FORM = new RegExp(`[${Object.keys(PLAIN_FORMS).join("")}]`, "gu");

/** The form in which texts are stored for search and in which a search term is compared with them. Idempotent. */
export function foldForSearch(text: string): string {
  return text
    .normalize("NFKD")
    .replace(INVISIBLE, "")
    .toLowerCase()
    .replace(ACCENTS, "")
    .replace(WITH_PLAIN_FORM, (character) => PLAIN_FORMS[character] ?? character)
    .replace(ODD_SPACE, " ")
    .trim()
    .normalize("NFC");
}

/** Texts as one to be searched in. A line break, which no term has, keeps a term from being found across two of them. */
export const searchTextOf = (texts: readonly string[]): string => texts.map(foldForSearch).join("\n");

/** Names as they are, in small letters, in capitals, and with capitals at the beginnings of words; each once. */
export const casesOf = (names: readonly string[]): string[] => [
  ...new Set(
    names
      .map((name) => name.normalize("NFC"))
      .flatMap((name) => [name, name.toLowerCase(), name.toUpperCase(), withCapitals(name)]),
  ),
];

const withCapitals = (name: string): string =>
  name.toLowerCase().replace(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toUpperCase());

/** Makes `%` and `_` ordinary characters in `LIKE ... ESCAPE '\'`. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/** What a search looks for: all of its words, each by one of its patterns for `LIKE ... ESCAPE '\'` over folded text. */
export type SearchWords = readonly (readonly string[])[];

/** More than anybody types: each costs a look at every text. */
export const MOST_SEARCH_WORDS = 16;

/** The different words of a search, folded. One that is a part of another is found with it. */
export function wordsOf(search: string): string[] {
  const folded = foldForSearch(search);
  const words = [...new Set(folded.split(" "))].filter((word) => word !== "" && !isSeparator(word, folded));
  return words.filter((word) => !words.some((other) => other !== word && other.includes(word)));
}

/** Undefined when nothing is looked for. */
export function searchWords(search: string | undefined): SearchWords | undefined {
  const words = wordsOf(search ?? "");
  return words.length === 0 ? undefined : words.map(patternsOf);
}

/** A number is found however it was written down. */
const patternsOf = (word: string): string[] =>
  [...new Set(PHONE.test(word) ? [word, digitsOf(word)] : [word])].map((text) => `%${escapeLike(text)}%`);

/** Two digits or more with signs that group them. */
const PHONE = /^[+()./-]*\p{Nd}[\p{Nd}+()./-]*\p{Nd}[()./-]*$/u;

/** A sign between the groups of a number, as in 600 - 111, is no word. */
const isSeparator = (word: string, search: string): boolean =>
  /^[+()./-]+$/.test(word) && /^[\p{Nd}+()./ -]*\p{Nd}[\p{Nd}+()./ -]*$/u.test(search);

/** What remains of a phone number when spaces and signs don't count. */
export const digitsOf = (text: string): string => text.normalize("NFKC").replace(/\P{Nd}/gu, "");

const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;
const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/**
 * One line of a text that must never be refused: without control characters and half characters, trimmed, NFC, and cut
 * to at most `max` UTF-16 units between two graphemes.
 */
export function lineOf(text: string, max: number): string {
  // What is far too long isn't looked at any further.
  const line = text
    .slice(0, 4 * max)
    .toWellFormed()
    .replaceAll("\ufffd", "")
    .replace(CONTROLS, " ")
    .trim()
    .normalize("NFC");
  if (line.length <= max) return line;
  let end = 0;
  for (const { index, segment } of graphemes.segment(line)) {
    if (index + segment.length > max) break;
    end = index + segment.length;
  }
  // A single grapheme may be longer than the whole text may be.
  return line
    .slice(0, end || max)
    .toWellFormed()
    .replaceAll("\ufffd", "")
    .trimEnd();
}
