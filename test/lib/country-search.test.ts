import { expect, it } from "vitest";
import { findCountryTerms } from "../../src/lib/countries.ts";
import { foldForSearch } from "../../src/lib/text.ts";

it.each([
  ["KE", ["KE"], ["Kenya"]],
  ["ke", ["KE"], ["Kenya"]],
  ["kenya", ["KE"], ["Kenya"]],
  ["Cote d'Ivoire", ["CI"], ["Côte d’Ivoire"]],
  ["türkiye", ["TR"], ["Türkiye"]],
])("finds %s by its code and its English name", (given, codes, names) => {
  const terms = findCountryTerms(given);
  expect(terms.codes).toEqual(expect.arrayContaining(codes));
  expect(terms.written).toEqual(expect.arrayContaining([given, ...codes, ...names].map(foldForSearch)));
  expect(terms.words).toBeUndefined();
});

it.each([
  ["US", "USA"],
  ["usa", "United States of America"],
  ["UK", "Great Britain"],
  ["GB", "UK"],
  ["United Kingdom", "England"],
  ["ES", "España"],
  ["Spain", "إسبانيا"],
  ["Deutschland", "Germany"],
  ["CI", "Ivory Coast"],
  ["TR", "Turkey"],
])("finds for %s what is written as %s, and the other way round", (given, other) => {
  expect(findCountryTerms(given).written).toContain(foldForSearch(other));
  expect(findCountryTerms(other).written).toContain(foldForSearch(given));
  expect(findCountryTerms(other).codes).toEqual(findCountryTerms(given).codes);
});

it("finds each country by each of its names, in few terms", () => {
  for (const code of ["KE", "AE", "GB", "CD", "XK"]) {
    const { written } = findCountryTerms(code);
    expect(written.length).toBeLessThan(40);
    for (const name of written) expect(findCountryTerms(name).codes).toContain(code);
  }
});

it("treats text that isn't a country as a name of its own", () => {
  expect(findCountryTerms("Atlantis")).toEqual({
    codes: [],
    written: ["atlantis"],
    words: [["%atlantis%"]],
    name: "Atlantis",
  });
  expect(findCountryTerms("QZ")).toMatchObject({ codes: [], written: ["qz"] });
});

it("searches for words of a name unless they are the whole name of another country", () => {
  expect(findCountryTerms("united").codes).toEqual(expect.arrayContaining(["AE", "GB", "US"]));
  expect(findCountryTerms("states UNITED").codes).toEqual(["US"]);
  expect(findCountryTerms("Niger").codes).toEqual(["NE"]);
  expect(findCountryTerms("nigeri").codes).toEqual(["NG"]);
  expect(findCountryTerms("Éthiop").codes).toEqual(["ET"]);
});
