import { expect, it } from "vitest";
import { countryTerms } from "../../src/lib/country-search.ts";

it.each([
  ["KE", ["KE"], ["Kenya"]],
  ["ke", ["KE"], ["Kenya"]],
  ["kenya", ["KE"], ["Kenya"]],
  ["Cote d'Ivoire", ["CI"], ["Côte d’Ivoire"]],
  ["türkiye", ["TR"], ["Türkiye"]],
])("knows %s by its code and its English name", (given, codes, names) => {
  const terms = countryTerms(given);
  expect(terms.codes).toEqual(expect.arrayContaining(codes));
  expect(terms.names).toEqual(expect.arrayContaining([given, ...codes, ...names]));
});

it("takes what isn't a country as a name of its own", () => {
  expect(countryTerms("Atlantis")).toEqual({ codes: [], names: ["Atlantis"] });
  expect(countryTerms("ZZ")).toEqual({ codes: [], names: ["ZZ"] });
});
