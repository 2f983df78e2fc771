/** What a country goes by, so that one is found by its code or its English name, whichever was written down. */
import { countryName } from "./country-names.ts";
import { foldForSearch } from "./text.ts";

export interface CountryTerms {
  codes: readonly string[];
  names: readonly string[];
}

const LETTERS = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");

/** Codes by what people may write; a few countries have more than one. */
const codesByName = Map.groupBy(
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
    (code) => countryName(code) !== undefined,
  ),
  (code) => foldForSearch(countryName(code) ?? ""),
);

/** As somebody writes it who has a plain keyboard. */
const plainly = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .replaceAll("’", "'");

/** The codes and names that mean the same as a code or a name. What no country goes by is a name of its own. */
export function countryTerms(given: string): CountryTerms {
  const upper = given.toUpperCase();
  const codes = countryName(upper) === undefined ? (codesByName.get(foldForSearch(given)) ?? []) : [upper];
  const names = codes.map(countryName).filter((name) => name !== undefined);
  return { codes, names: [given, ...codes, ...names.flatMap((name) => [name, plainly(name)])] };
}
