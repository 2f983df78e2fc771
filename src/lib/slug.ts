/** Slugs: the readable part of an address, made from a title. */
import { createHash } from "node:crypto";
import { withFewMarks } from "./text.ts";

const MAX_LENGTH = 80;
const HASH_LENGTH = 8;

/** ASCII, typographic and modifier apostrophes: "Let’s" is one word, not two. */
const APOSTROPHES = "'‘’‛ʻʼ";
const DROPPED = new RegExp(`[\\p{M}${APOSTROPHES}]+`, "gu");

/** Letters without a decomposition, in their usual transliteration, as the rule before had them. Frozen. */
const FORMERLY_SPELLED_OUT: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ħ: "h",
  ı: "i",
  ð: "d",
  þ: "th",
  ŋ: "ng",
  ŧ: "t",
  ə: "e",
};
const { ə: _schwa, ...KEPT } = FORMERLY_SPELLED_OUT;

/**
 * With the hooked and open letters of African languages, and without ə, which Azerbaijani distinguishes from e. Only slugs
 * transliterate them; search doesn't.
 */
const SPELLED_OUT: Readonly<Record<string, string>> = {
  ...KEPT,
  ɓ: "b",
  ɗ: "d",
  ɖ: "d",
  ƙ: "k",
  ƴ: "y",
  ɛ: "e",
  ɔ: "o",
  ǝ: "e",
  ƒ: "f",
  ɣ: "g",
  ʋ: "v",
  ɲ: "ny",
};

/** A letter or digit that is left. */
const UNSPELLED = /[^a-z0-9\P{L}]|[^a-z0-9\P{N}]/u;

/** Whether a slug can have all letters and digits of a title: otherwise it ends in a hash. */
export const isSpelledOut = (title: string): boolean => !UNSPELLED.test(spellOut(title, SPELLED_OUT));

/**
 * The slug of a title: `a-z`, `0-9` and single inner hyphens, at most 80 characters. If a letter or digit of the title
 * can't be spelled so, the slug ends in a hash of the title, because other titles have the same remaining letters.
 * Empty if the title has neither letters nor digits.
 * @param noun in front of the hash if nothing can be spelled
 */
export function createSlug(title: string, noun = "book"): string {
  const letters = spellOut(title, SPELLED_OUT);
  const words = joinWords(letters);
  if (!UNSPELLED.test(letters)) return shorten(words, MAX_LENGTH);
  const readable = shorten(words, MAX_LENGTH - 1 - HASH_LENGTH);
  return `${readable || noun}-${hashTitle(title)}`;
}

/**
 * The slug that a title had by the rule before: what couldn't be spelled was dropped. Books keep such slugs, so that they
 * are still found by them. Empty if nothing could be spelled.
 */
export const createFormerSlug = (title: string): string =>
  shorten(joinWords(spellOut(title, FORMERLY_SPELLED_OUT)), MAX_LENGTH);

/** The slug that a folder or file had by the rule before if nothing of its name could be spelled. Frozen. */
export const createFormerFolderSlug = (name: string): string =>
  `book-${createHash("sha256").update(name.normalize("NFC")).digest("hex").slice(0, 8)}`;

/** A title without regard to case and white space. Slugs contain a hash of it: frozen, unlike the folding of search. */
export const canonicalizeTitle = (title: string): string =>
  title.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();

/** Of the rest in base 36: the start of a number has as many letters as digits. */
const hashTitle = (title: string): string =>
  BigInt(`0x${createHash("sha256").update(canonicalizeTitle(title)).digest("hex")}`)
    .toString(36)
    .slice(0, HASH_LENGTH);

const spellOut = (title: string, letters: Readonly<Record<string, string>>): string =>
  withFewMarks(title)
    .normalize("NFKD")
    .replace(DROPPED, "")
    .toLowerCase()
    .replace(/\P{ASCII}/gu, (letter) => letters[letter] ?? letter);

const joinWords = (letters: string): string => letters.replace(/[^a-z0-9]+/g, "-").replace(/^-/, "");

/** `slug-2` and so on for a slug that is in use. The slug is truncated so that the result fits into 80 characters. */
export function numberSlug(slug: string, n: number): string {
  const suffix = `-${n}`;
  return shorten(slug, MAX_LENGTH - suffix.length) + suffix;
}

/** The number that `numberSlug` has given a slug; undefined if it isn't such a slug. */
export function findSlugNumber(slug: string, numbered: string): number | undefined {
  const n = Number(/-([1-9]\d*)$/.exec(numbered)?.[1]);
  return n > 1 && numberSlug(slug, n) === numbered ? n : undefined;
}

/** What a slug with a number of so many digits begins with. */
export const numberedPrefix = (slug: string, digits: number): string =>
  `${shorten(slug, MAX_LENGTH - 1 - digits)}-`;

/**
 * The slug of a title, with a number if it is already in use.
 * @param noun in front of the hash if nothing of the title can be spelled
 * @param fallback for a title without letters and digits
 */
export async function freeSlug(
  title: string,
  { noun, fallback }: { noun: string; fallback: string },
  isTaken: (slug: string) => Promise<boolean>,
): Promise<string> {
  const wanted = createSlug(title, noun) || fallback;
  if (!(await isTaken(wanted))) return wanted;
  let number = 2;
  while (await isTaken(numberSlug(wanted, number))) number += 1;
  return numberSlug(wanted, number);
}

function shorten(slug: string, length: number): string {
  return slug.slice(0, length).replace(/-+$/, "");
}
