/** Slugs: the readable part of an address, made from a title. */
import { PLAIN_LETTERS, withFewMarks } from "./text.ts";

const MAX_LENGTH = 80;

/** ASCII, typographic and modifier apostrophes: "Let’s" is one word, not two. */
const APOSTROPHES = "'‘’‛ʻʼ";
const DROPPED = new RegExp(`[\\p{M}${APOSTROPHES}]+`, "gu");

/** Letters without a decomposition, in their usual transliteration. Only slugs transliterate them; search doesn't. */
const SPELLED_OUT: Readonly<Record<string, string>> = {
  ...PLAIN_LETTERS,
  ð: "d",
  þ: "th",
  ŋ: "ng",
  ŧ: "t",
  ə: "e",
};
const WITHOUT_DECOMPOSITION = new RegExp(`[${Object.keys(SPELLED_OUT).join("")}]`, "g");

/**
 * The slug of a title: `a-z`, `0-9` and single inner hyphens, at most 80 characters. Empty if the title has no Latin
 * letter and no digit.
 */
export function createSlug(title: string): string {
  const words = withFewMarks(title)
    .normalize("NFKD")
    .replace(DROPPED, "")
    .toLowerCase()
    .replace(WITHOUT_DECOMPOSITION, (letter) => SPELLED_OUT[letter] ?? "")
    .replace(/[^a-z0-9]+/g, "-");
  return shorten(words.replace(/^-/, ""), MAX_LENGTH);
}

/** `slug-2` and so on for a slug that is in use. The slug is truncated so that the result fits into 80 characters. */
export function numberSlug(slug: string, n: number): string {
  const suffix = `-${n}`;
  return shorten(slug, MAX_LENGTH - suffix.length) + suffix;
}

/**
 * The slug of a title, with a number if it is already in use.
 * @param fallback for a title without a slug
 */
export async function freeSlug(
  title: string,
  fallback: string,
  isTaken: (slug: string) => Promise<boolean>,
): Promise<string> {
  const wanted = createSlug(title) || fallback;
  if (!(await isTaken(wanted))) return wanted;
  let number = 2;
  while (await isTaken(numberSlug(wanted, number))) number += 1;
  return numberSlug(wanted, number);
}

function shorten(slug: string, length: number): string {
  return slug.slice(0, length).replace(/-+$/, "");
}
