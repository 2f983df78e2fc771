/** English names of countries, and how people write them in forms. */
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

/** The languages in which readers fill in forms. */
const LOCALES = "ar bn bo de en es fa fr hi id it ja ko pl pt ru sw tr uk ur vi zh zh-Hant".split(" ");

/** Folded abbreviations and names that CLDR doesn't have, or no longer. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  AE: ["uae", "u.a.e."],
  CD: ["drc", "dr congo", "rdc"],
  CI: ["ivory coast"],
  CV: ["cabo verde"],
  CZ: ["czech republic"],
  GB: ["uk", "u.k.", "great britain", "england", "scotland", "wales", "northern ireland"],
  KR: ["korea", "republic of korea"],
  MM: ["burma"],
  NL: ["holland", "the netherlands"],
  PS: ["palestine"],
  RU: ["russian federation"],
  SZ: ["swaziland"],
  TR: ["turkey"],
  US: ["usa", "u.s.a.", "u.s.", "united states of america", "america"],
  VN: ["viet nam"],
};

interface Country {
  code: string;
  /** Folded. */
  name: string;
  /** Folded, in all languages. */
  written: readonly string[];
}

let known: readonly Country[] | undefined;

/** Made when a country is first looked for, which takes some 20 ms. */
function listCountries(): readonly Country[] {
  if (known) return known;
  const locales = LOCALES.map(
    (locale) => new Intl.DisplayNames(locale, { type: "region", fallback: "none" }),
  );
  known = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).flatMap((code) => {
    const name = findCountryName(code);
    if (name === undefined || !isCurrent(code)) return [];
    const names = locales.map((each) => each.of(code)).filter((each) => each !== undefined);
    const written = [code, ...names].map(foldForSearch);
    return [
      { code, name: foldForSearch(name), written: [...new Set([...written, ...(OTHER_NAMES[code] ?? [])])] },
    ];
  });
  return known;
}

/** CLDR has names of former codes, too, such as `UK`. */
const isCurrent = (code: string): boolean => new Intl.Locale(`und-${code}`).region === code;

/** A few countries share a name. */
function findWhole(folded: string): readonly Country[] {
  const others = listCountries().filter(({ code }) => OTHER_NAMES[code]?.includes(folded));
  return others.length > 0 ? others : listCountries().filter(({ written }) => written.includes(folded));
}

/**
 * The codes and names equivalent to a code or a name, in the languages of forms. Whole names take precedence over parts:
 * Niger doesn't match Nigeria. Other texts are searched as parts of English names, ignoring accents.
 */
export function findCountryTerms(given: string): CountryTerms {
  const folded = foldForSearch(given);
  const whole = findWhole(folded);
  const found = whole.length > 0 ? whole : findByWords(folded.split(" "));
  const names = found.flatMap(({ code, name, written }) =>
    whole.length > 0 ? written : [foldForSearch(code), name],
  );
  return {
    codes: found.map(({ code }) => code),
    written: [...new Set([folded, ...names])],
    words: whole.length > 0 ? undefined : searchWords(given),
    name: given,
  };
}

/** The countries whose names contain all words. */
const findByWords = (words: readonly string[]): Country[] =>
  listCountries().filter(({ name }) => words.every((word) => name.includes(word)));
