/** English names of countries. */
import { foldForSearch, type SearchWords, searchWords } from "./text.ts";

/** Created when the first name is looked up: that takes 30 ms, which the start saves. */
let names: Intl.DisplayNames | undefined;

/** The English name of an ISO 3166-1 code in upper case; undefined for an unknown code. */
export function findCountryName(code: string): string | undefined {
  names ??= new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  return /^[A-Z]{2}$/.test(code) && code !== UNKNOWN ? names.of(code) : undefined;
}

/** CLDR names it "Unknown Region". */
const UNKNOWN = "ZZ";

/** The codes and names of a country, so that it is found by either. */
export interface CountryTerms {
  codes: readonly string[];
  /** As a person may have written it: code or name, folded. */
  written: readonly string[];
  /** Parts of a name, if the text isn't a country's whole name. */
  words: SearchWords | undefined;
  /** The given text, for country names that only the geolocation uses. */
  name: string;
}

const LETTERS = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");

let codesByName: ReadonlyMap<string, string[]> | undefined;

/** Codes by written form; a few countries have more than one. */
function groupCodesByName(): ReadonlyMap<string, string[]> {
  codesByName ??= Map.groupBy(
    LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
      (code) => findCountryName(code) !== undefined,
    ),
    (code) => foldForSearch(findCountryName(code) ?? ""),
  );
  return codesByName;
}

/**
 * The codes and names equivalent to a code or a name. Whole names take precedence over parts: Niger doesn't match
 * Nigeria. Other texts are searched as parts of names, ignoring accents.
 */
export function findCountryTerms(given: string): CountryTerms {
  const upper = given.toUpperCase();
  const folded = foldForSearch(given);
  const whole = findCountryName(upper) === undefined ? groupCodesByName().get(folded) : [upper];
  const codes = whole ?? findCodes(folded.split(" "));
  const names = codes.map(findCountryName).filter((name) => name !== undefined);
  return {
    codes,
    written: [...new Set([folded, ...[...codes, ...names].map(foldForSearch)])],
    words: whole ? undefined : searchWords(given),
    name: given,
  };
}

/** The countries whose names contain all words. */
const findCodes = (words: readonly string[]): string[] =>
  [...groupCodesByName()].flatMap(([name, codes]) =>
    words.every((word) => name.includes(word)) ? codes : [],
  );
