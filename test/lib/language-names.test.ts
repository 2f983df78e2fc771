import { expect, it } from "vitest";
import { findLanguageAmong, findNamedLanguage, findNearLanguage } from "../../src/lib/language-names.ts";

it.each([
  ["Spanish", "es"],
  ["ESPAÑOL", "es"],
  ["espan\u0303ol", "es"],
  ["Kiswahili", "sw"],
  ["አማርኛ", "am"],
  ["o'zbek", "uz"],
  ["Bengali", "bn"],
  ["Bangla", "bn"],
  ["Simplified Chinese", "zh-Hans"],
  ["Chinese (Simplified)", "zh-Hans"],
  ["brazilian_portuguese", "pt-BR"],
  ["Bhojpuri", "bho"],
  ["Castellano", "es"],
  ["Farsi", "fa"],
  ["Bahasa Indonesia", "id"],
  ["Tagalog", "fil"],
  ["Português do Brasil", "pt-BR"],
  ["русский язык", "ru"],
  ["Central Khmer", "km"],
  ["Mandarin", "zh"],
  ["Oriya", "or"],
  ["Sorani", "ckb"],
  ["ภาษาไทย", "th"],
  ["Myanmar Language", "my"],
  ["Kreyol ayisyen", "ht"],
  ["Fulfulde", "ff"],
  ["Kirundi", "rn"],
  ["Ilokano", "ilo"],
  ["Irish Gaelic", "ga"],
  ["Serbian (Latin)", "sr-Latn"],
  ["Srpski", "sr-Latn"],
  ["Serbian (Cyrillic)", "sr-Cyrl"],
])("finds the language that is called %s", (name, code) => {
  expect(findNamedLanguage(name)?.code).toBe(code);
});

it.each([
  "",
  "es",
  "book",
  "sun",
  "Spanish books",
  "Slave",
  "Seneca",
  "Multiple languages",
  "x".repeat(1_000_000),
])("finds no language that is called %.20s", (name) => {
  expect(findNamedLanguage(name)).toBeUndefined();
});

it.each([
  ["French books", "fr"],
  ["livres français", "fr"],
  ["moon fish spanish", "es"],
])("finds a name among the words of %s", (text, code) => {
  expect(findLanguageAmong(text)?.code).toBe(code);
  expect(findLanguageAmong(text.replaceAll(" ", ""))).toBeUndefined();
});

it.each([
  ["Portugese", "pt"],
  ["Ukranian books", "uk"],
  ["Espagnol", "es"],
])("finds a name that is similar to %s", (text, code) => {
  expect(findNearLanguage(text)?.code).toBe(code);
  expect(findLanguageAmong(text)).toBeUndefined();
});

it.each(["downloads", "backup", "The deep well", "cover final", "moon", "es", "x".repeat(1_000_000)])(
  "finds no name that is similar to %.20s",
  (text) => {
    expect(findNearLanguage(text)).toBeUndefined();
  },
);

it("finds each language with a two-letter code that CLDR names", () => {
  const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const codes = letters.flatMap((one) => letters.map((other) => one + other));
  const canonical = codes.filter((code) => Intl.getCanonicalLocales(code)[0] === code);
  const named = canonical.flatMap((code) => names.of(code) ?? []);
  expect(named.length).toBeGreaterThan(170);
  expect(named.filter((name) => findNamedLanguage(name) === undefined)).toEqual([]);
});
