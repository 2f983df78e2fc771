/** Folds text for search: removes case, accents and invisible characters, and escapes text for LIKE. */
import { LRUCache } from "lru-cache";

/**
 * The scripts in which marks are accents or optional vowel points. In other scripts a mark distinguishes words: without
 * vowel signs, different Hindi, Tibetan or Thai words would become equal, and without dakuten different Japanese ones.
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

/** A single space, the usual case, isn't matched. */
const ODD_SPACE = /\s{2,}|[^\S ]/g;

/** Joiners, soft hyphens, direction marks, variation selectors, and the Arabic tatweel, which only lengthens a word. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u{640}]+/gu;

/** Small letters without a decomposition that have the same plain form in search and in slugs. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ħ: "h",
  ı: "i",
};

/**
 * Letters and signs with a plain form that Unicode normalisation doesn't produce: the same letter in two encodings, and
 * letters of one script that look alike, of which keyboards have one or the other. Decision 0162 has those that stay apart.
 */
const PLAIN_FORMS: Readonly<Record<string, string>> = {
  ...PLAIN_LETTERS,
  ς: "σ",
  // Keyboards of Arabic, Persian, Urdu, Kurdish, Pashto, Kashmiri, Malay and Uyghur.
  ...toForm("ي", "یى"),
  ...toForm("ك", "ک"),
  ...toForm("ه", "ہەةۃ"),
  ...toForm("ا", "ٱٲٳ"),
  ...toForm("ء", "ٴ"),
  ...toForm("ڬ", "ݢ"),
  ...toForm("ڭ", "ݣ"),
  ...toForm("'", "‘’‛ʻʼʽʾʿꞌ՚׳"),
  ...toForm('"', "“”„‟ˮ״"),
  // The palochka of the Caucasus, and the schwa of Azerbaijan and of Africa.
  ӏ: "і",
  ǝ: "ə",
  // Yiddish.
  װ: "וו",
  ױ: "וי",
  ײ: "יי",
  // Malayalam, Bengali: final consonants, formerly written with a joiner.
  ൺ: "ണ്",
  ൻ: "ന്",
  ർ: "ര്",
  ൽ: "ല്",
  ൾ: "ള്",
  ൿ: "ക്",
  ৎ: "ত্",
};

function toForm(form: string, characters: string): Record<string, string> {
  return Object.fromEntries(Array.from(characters, (character) => [character, form]));
}

/** Also digits of all scripts, and dashes, hyphens and minus signs of all kinds. */
const WITH_PLAIN_FORM = new RegExp(
  `[${Object.keys(PLAIN_FORMS).join("")}\\u2212[\\p{Nd}--[0-9]][\\p{Pd}--[\\-]]]`,
  "gv",
);

const findPlainForm = (character: string): string => PLAIN_FORMS[character] ?? otherForms.memo(character);

/** By digit or dash. There are some 800. */
const otherForms = new LRUCache<string, string>({
  max: 1000,
  memoMethod: (character) => (DIGIT.test(character) ? findDigit(character) : "-"),
});

const DIGIT = /^\p{Nd}$/u;

/** Unicode has the ten digits of a script one after the other, beginning with zero. */
function findDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}

/** With ASCII digits in place of those of other scripts. */
export const withPlainDigits = (text: string): string => text.replace(/[\p{Nd}--[0-9]]/gv, findPlainForm);

const LONG_MARKS = /(\p{M}{30})\p{M}+/gu;

/**
 * Without the combining marks after 30 in a row, which no language has (UAX 15, "Stream-Safe Text Format"): normalising
 * longer runs takes the square of their length.
 */
export const withFewMarks = (text: string): string => text.replace(LONG_MARKS, "$1");

/** Most texts of programs, addresses and English titles: only case and spaces differ. */
const PLAIN = /^[\x20-\x7e]*$/;

/** The folded form in which searchable texts are stored and with which search terms are compared. Idempotent. */
export function foldForSearch(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase().replace(ODD_SPACE, " ").trim();
  return text
    .normalize("NFKD")
    .replace(INVISIBLE, "")
    .toLowerCase()
    .replace(ACCENTS, "")
    .replace(WITH_PLAIN_FORM, findPlainForm)
    .replace(ODD_SPACE, " ")
    .trim()
    .normalize("NFC");
}

/**
 * Combines texts for search. They are separated by a line break, which no search term contains, so that no term matches
 * across two texts.
 */
export const createSearchText = (texts: readonly string[]): string => texts.map(foldForSearch).join("\n");

/** Each word of a folded text once: a search looks for words. Long texts, such as descriptions, repeat many. */
export const foldWords = (text: string): string => [...new Set(foldForSearch(text).split(" "))].join(" ");

/** Names as given, in lower case, in upper case, and with capitalised words; without duplicates. */
export const listCases = (names: readonly string[]): string[] => [
  ...new Set(
    names
      .map((name) => name.normalize("NFC"))
      .flatMap((name) => [name, name.toLowerCase(), name.toUpperCase(), withCapitals(name)]),
  ),
];

const withCapitals = (name: string): string =>
  name.toLowerCase().replace(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toUpperCase());

/**
 * The longest start of the text that ends between two graphemes, so that no combining mark or emoji is split.
 * @param max of the total size of its graphemes
 */
export function startOf(text: string, max: number, sizeOf: (grapheme: string) => number): string {
  let size = 0;
  const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });
  for (const { segment, index } of graphemes.segment(text)) {
    size += sizeOf(segment);
    if (size > max) return text.slice(0, index);
  }
  return text;
}

/** Escapes `%` and `_` for `LIKE ... ESCAPE '\'`. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/**
 * The words of a search, all of which must match. Each has alternative patterns for `LIKE ... ESCAPE '\'` over folded
 * text.
 */
export type SearchWords = readonly (readonly string[])[];

/** More than people type: each word costs a scan of every text. */
export const MAX_SEARCH_WORDS = 16;

/** The distinct words of a search, folded. A word that is contained in another one is omitted. */
export function splitIntoWords(search: string): string[] {
  const folded = foldForSearch(search);
  // An acute accent of its own, typed for an apostrophe, folds to a space and a mark.
  const separate = folded.split(" ").map((word) => word.replace(/^\p{M}+/u, ""));
  const words = [...new Set(separate)].filter((word) => word !== "" && !isSeparator(word, folded));
  return words.filter((word) => !words.some((other) => other !== word && other.includes(word)));
}

/** Undefined if the search is empty. */
export function searchWords(search: string | undefined): SearchWords | undefined {
  const words = splitIntoWords(search ?? "");
  return words.length === 0 ? undefined : words.map(searchPatternsOf);
}

/** The alternative patterns of a folded word. A number matches in any notation, and what is typed for an apostrophe is one. */
export const searchPatternsOf = (word: string): string[] =>
  [...new Set([word, PHONE.test(word) ? extractDigits(word) : word.replace(/[`\u2032]/g, "'")])].map(
    (text) => `%${escapeLike(text)}%`,
  );

/** The text for which `searchPatternsOf` made the pattern. */
export const textOfPattern = (pattern: string): string => pattern.slice(1, -1).replace(/\\(.)/gsu, "$1");

/** At least two digits with signs that group them. */
const PHONE = /^[+()./-]*\p{Nd}[\p{Nd}+()./-]*\p{Nd}[()./-]*$/u;

/** A sign between the groups of a number, as in 600 - 111, isn't a word. */
const isSeparator = (word: string, search: string): boolean =>
  /^[+()./-]+$/.test(word) && /^[\p{Nd}+()./ -]*\p{Nd}[\p{Nd}+()./ -]*$/u.test(search);

/** The digits of a phone number, without spaces and signs. */
export const extractDigits = (text: string): string => text.normalize("NFKC").replace(/\P{Nd}/gu, "");
