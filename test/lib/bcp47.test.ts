/** Language codes and directions. */
import { describe, expect, it } from "vitest";
import { canonicalizeLanguageCode, findDirection, findLanguageNames } from "../../src/lib/bcp47.ts";

describe("canonicalLanguageCode", () => {
  it.each([
    ["en", "en"],
    ["EN-us", "en-US"],
    ["zh-hans-cn", "zh-Hans-CN"],
    ["sr-latn", "sr-Latn"],
    ["es-419", "es-419"],
    ["iw", "he"],
    ["be-TARASK", "be-tarask"],
    ["de-1996", "de-1996"],
    ["bo", "bo"],
    ["EN-X-Simple", "en-x-simple"],
    ["sr-latn-x-a-1", "sr-Latn-x-a-1"],
    ["yue", "yue"],
    ["art-lojban", "jbo"],
    ["zh-yue", "yue"],
    ["zh-cmn-Hans-CN", "zh-Hans-CN"],
    ["ar-arz", "arz"],
    ["no-bok", "nb"],
    ["zh-CHS", "zh-Hans"],
    ["zh-cht", "zh-Hant"],
    ["zh-min-nan", "nan"],
  ])("%s is %s", (code, canonical) => {
    expect(canonicalizeLanguageCode(code)).toBe(canonical);
    expect(canonicalizeLanguageCode(canonical)).toBe(canonical);
  });

  it.each([
    ["nothing", ""],
    ["a language's name", "english"],
    ["one letter", "e"],
    ["digits", "12"],
    ["an underscore", "en_US"],
    ["a space", "en US"],
    ["several tags", "en,de"],
    ["private use", "x-mine"],
    ["an empty private part", "en-x"],
    ["private use of more than 8 characters", "en-x-abcdefghi"],
    ["an extension", "en-u-ca-buddhist"],
    ["a script alone", "Latn"],
    ["a path", "../en"],
    ["NUL", "en\0"],
    ["a repeated variant", "de-1996-1996"],
    ["more than 35 characters", "de-abcde-abcdf-abcdg-abcdh-abcdi-abcdj"],
    ["more than 35, even if fewer when canonical", "hy-arevela-abcde-abcdf-abcdg-abcdh-abcdi"],
    ["what has more than 35 when canonical", "sh-abcde-abcdf-abcdg-abcdh-abcdi"],
  ])("rejects %s", (_, code) => {
    expect(canonicalizeLanguageCode(code)).toBeUndefined();
  });
});

describe("directionOf", () => {
  it.each([
    "ar",
    "he",
    "fa",
    "ur",
    "ps",
    "yi",
    "dv",
    "ug",
    "ckb",
    "sd",
    "nqo",
    "pa-Arab",
    "az-Arab",
    "ff-Adlm",
  ])("%s is written from right to left", (code) => {
    expect(findDirection(code)).toBe("rtl");
  });

  it.each(["en", "bo", "hi", "zh", "mn", "pa", "he-Latn", "ku", "qqq"])(
    "%s is written from left to right",
    (code) => {
      expect(findDirection(code)).toBe("ltr");
    },
  );
});

it.each([
  ["es", "Español"],
  ["ru", "Русский"],
  ["tr", "Türkçe"],
  ["pt-BR", "Português (Brasil)"],
  ["zu", "isiZulu"],
  ["ka", "ქართული"],
  ["ar", "العربية"],
  ["zh", "中文"],
  ["qaa", "qaa"],
])("the name of %s in itself begins with a capital letter, if the script has any: %s", (code, name) => {
  expect(findLanguageNames(code).nativeName).toBe(name);
});
