/** International Standard Book Numbers (ISO 2108). */
import { withPlainDigits } from "./text.ts";

/** What people and programs write between the groups; also minus signs, soft hyphens and what is invisible. */
const SEPARATORS = /[\s\p{Pd}\u2212._\p{Default_Ignorable_Code_Point}]+/gu;
const WEIGHTS_OF_13 = [1, 3];
const WEIGHTS_OF_10 = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1];

/**
 * The 13 digits of an ISBN-13 or ISBN-10, which may contain hyphens and spaces, in the digits of any script; undefined if
 * the text is no ISBN or its check digit is wrong.
 */
export function parseIsbn(text: string): string | undefined {
  const compact = withPlainDigits(text.normalize("NFKC")).replace(SEPARATORS, "").toUpperCase();
  if (/^97[89]\d{10}$/.test(compact))
    return sumWeighted(compact, WEIGHTS_OF_13) % 10 === 0 ? compact : undefined;
  if (!/^\d{9}[\dX]$/.test(compact) || sumWeighted(compact, WEIGHTS_OF_10) % 11 !== 0) return undefined;
  const digits = `978${compact.slice(0, 9)}`;
  return `${digits}${(10 - (sumWeighted(digits, WEIGHTS_OF_13) % 10)) % 10}`;
}

/** Ten or thirteen digits, with hyphens or spaces between. */
const CANDIDATES = /(?<!\d[-\s]?)\d(?:[-\s]?\d){8,11}[-\s]?[\dX](?![\dX])/gi;
/** Between two digits, where they are groups of an ISBN. */
const GROUPING = /(?<=\d)\s*[\p{Pd}\u2212._/]\s*(?=[\dX])/giu;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;
const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-/i;
/** Of a text in which an ISBN is looked for. */
const MAX_LENGTH = 200;

/**
 * The first ISBN in an identifier, after any prefix such as `urn:isbn:` or `ISBN-13: `. Ten digits can be any number: they
 * stand alone, or beside the word.
 */
export function findIsbn(text: string): string | undefined {
  const given = withPlainDigits(text.slice(0, MAX_LENGTH).normalize("NFKC"))
    .replace(INVISIBLE, "")
    .replace(GROUPING, "-")
    .trim();
  if (UUID.test(given)) return undefined;
  const isNamed = /isbn/i.test(given);
  const numbers = given.replace(/isbn[\s\p{Pd}_.]?1[03]\b/giu, "").matchAll(CANDIDATES);
  for (const [candidate] of numbers) {
    const isCertain = isNamed || candidate === given || /^97[89]/.test(candidate);
    const isbn = isCertain ? parseIsbn(candidate) : undefined;
    if (isbn !== undefined) return isbn;
  }
  return undefined;
}

/** The older form with ten characters; undefined if there is none. */
export function toIsbn10(isbn13: string): string | undefined {
  if (!isbn13.startsWith("978")) return undefined;
  const digits = isbn13.slice(3, 12);
  const check = (11 - (sumWeighted(digits, WEIGHTS_OF_10) % 11)) % 11;
  return `${digits}${check === 10 ? "X" : check}`;
}

/** The sum of the digits times their weights, which repeat; X is ten. */
const sumWeighted = (digits: string, weights: readonly number[]): number =>
  [...digits].reduce(
    (sum, digit, index) =>
      sum + (digit === "X" ? 10 : Number(digit)) * (weights[index % weights.length] ?? 0),
    0,
  );
