import { expect, it } from "vitest";
import { findCountryName } from "../../src/lib/countries.ts";

it.each([
  ["GB", "United Kingdom"],
  ["US", "United States"],
  ["TR", "Türkiye"],
  ["XK", "Kosovo"],
])("%s is %s", (code, name) => expect(findCountryName(code)).toBe(name));

it.each(["ZZ", "QX", "A1", "gb", "GBR", "419", "", "en", "G"])("%j is no country", (code) =>
  expect(findCountryName(code)).toBeUndefined(),
);
