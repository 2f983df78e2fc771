/** English names of countries. */
import { foldForSearch, type SearchWords, searchWords } from "./text.ts";

const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

/** The name to an ISO 3166-1 code in upper case; undefined when no country has it. */
export function countryName(code: string): string | undefined {
  return /^[A-Z]{2}$/.test(code) && code !== UNKNOWN ? names.of(code) : undefined;
}

/** CLDR names it "Unknown Region". */
const UNKNOWN = "ZZ";

/** What a country goes by, so that one is found by its code or its English name, whichever was written down. */
export interface CountryTerms {
  codes: readonly string[];
  /** As somebody may have written it: code or name, folded. */
  written: readonly string[];
  /** For what isn't a country's whole name: the parts of a name. */
  words: SearchWords | undefined;
  /** As given, for countries that only the geolocation names so. */
  name: string;
}

const LETTERS = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");

/** Codes by what people may write; a few countries have more than one. */
const codesByName = Map.groupBy(
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
    (code) => countryName(code) !== undefined,
  ),
  (code) => foldForSearch(countryName(code) ?? ""),
);

/**
 * The codes and names that mean the same as a code or a name. Whole names go before parts of one: Niger isn't Nigeria. What
 * is no country's name is looked for as a part of names, with any accents.
 */
export function countryTerms(given: string): CountryTerms {
  const upper = given.toUpperCase();
  const folded = foldForSearch(given);
  const whole = countryName(upper) === undefined ? codesByName.get(folded) : [upper];
  const codes = whole ?? codesWith(folded.split(" "));
  const names = codes.map(countryName).filter((name) => name !== undefined);
  return {
    codes,
    written: [...new Set([folded, ...[...codes, ...names].map(foldForSearch)])],
    words: whole ? undefined : searchWords(given),
    name: given,
  };
}

/** Of countries whose names have all the words. */
const codesWith = (words: readonly string[]): string[] =>
  [...codesByName].flatMap(([name, codes]) => (words.every((word) => name.includes(word)) ? codes : []));
