import { expect, it } from "vitest";
import { countryTerms } from "../../src/lib/countries.ts";
import { foldForSearch } from "../../src/lib/text.ts";

it.each([
  ["KE", ["KE"], ["Kenya"]],
  ["ke", ["KE"], ["Kenya"]],
  ["kenya", ["KE"], ["Kenya"]],
  ["Cote d'Ivoire", ["CI"], ["Côte d’Ivoire"]],
  ["türkiye", ["TR"], ["Türkiye"]],
])("finds %s by its code and its English name", (given, codes, names) => {
  const terms = countryTerms(given);
  expect(terms.codes).toEqual(expect.arrayContaining(codes));
  expect(terms.written).toEqual(expect.arrayContaining([given, ...codes, ...names].map(foldForSearch)));
  expect(terms.words).toBeUndefined();
});

it("treats text that isn't a country as a name of its own", () => {
  expect(countryTerms("Atlantis")).toEqual({
    codes: [],
    written: ["atlantis"],
    words: [["%atlantis%"]],
    name: "Atlantis",
  });
  expect(countryTerms("QZ")).toMatchObject({ codes: [], written: ["qz"] });
});

it("searches for words of a name unless they are the whole name of another country", () => {
  expect(countryTerms("united").codes).toEqual(expect.arrayContaining(["AE", "GB", "US"]));
  expect(countryTerms("states UNITED").codes).toEqual(["US"]);
  expect(countryTerms("Niger").codes).toEqual(["NE"]);
  expect(countryTerms("nigeri").codes).toEqual(["NG"]);
  expect(countryTerms("Éthiop").codes).toEqual(["ET"]);
});
