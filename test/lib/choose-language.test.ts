/** The language that a reader means: the service's choice, and its copies in the console and in the example page. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseLanguage } from "../../src/lib/choose-language.ts";
import { anyText } from "../support/any-text.ts";
import { PROJECT } from "../support/modules.ts";

const HAVE = ["ar", "en", "zh-Hans", "zh-Hant", "pt-PT", "es-419", "sr-Latn", "nb", "fil", "he", "fa", "ku"];

describe("chooseLanguage", () => {
  it.each([
    ["en", "en"],
    ["EN-us", "en"],
    ["zh-TW", "zh-Hant"],
    ["zh-HK", "zh-Hant"],
    ["zh-MO", "zh-Hant"],
    ["zh-Hant-TW", "zh-Hant"],
    ["zh-CN", "zh-Hans"],
    ["zh-SG", "zh-Hans"],
    ["zh", "zh-Hans"],
    ["cmn-TW", "zh-Hant"],
    ["yue", "zh-Hant"],
    ["wuu", "zh-Hans"],
    ["zh-yue", "zh-Hant"],
    ["zh-cmn-Hant", "zh-Hant"],
    ["zh-CHT", "zh-Hant"],
    ["zh_CHS", "zh-Hans"],
    ["no-bok", "nb"],
    ["ar_arz", "ar"],
    ["pt-BR", "pt-PT"],
    ["pt", "pt-PT"],
    ["es-MX", "es-419"],
    ["es-ES", "es-419"],
    ["sr-Latn-RS", "sr-Latn"],
    ["sr", "sr-Latn"],
    ["sh", "sr-Latn"],
    ["no", "nb"],
    ["nn", "nb"],
    ["tl", "fil"],
    ["iw-IL", "he"],
    ["arz", "ar"],
    ["apc-LB", "ar"],
    ["prs", "fa"],
    ["ckb", "ku"],
    ["en_GB", "en"],
  ])("%s is %s", (wanted, code) => expect(chooseLanguage([wanted], HAVE)).toBe(code));

  it.each(["ja", "id", "*", "und", "", "x-private", "constructor", "x".repeat(40), "en-a", "de-1"])(
    "%j is none of them",
    (wanted) => expect(chooseLanguage([wanted], HAVE)).toBeUndefined(),
  );

  it.each([
    [["in-ID"], ["en", "id"], "id"],
    [["ja", "de-AT", "en"], ["en", "de"], "de"],
    [["zh-TW", "en"], ["en", "zh-Hans"], "zh-Hans"],
    [["zh-TW"], ["zh", "zh-Hant"], "zh-Hant"],
    [["es-MX"], ["es", "es-ES", "es-419", "es-MX"], "es-MX"],
    [["es-MX"], ["es-ES", "es", "es-419"], "es-419"],
    [["es-MX"], ["es-ES", "es"], "es"],
    [["es-ES"], ["es-419", "es"], "es"],
    [["es"], ["es-MX", "es-ES"], "es-ES"],
    [["pt-MZ"], ["pt-BR", "pt-PT"], "pt-PT"],
    [["en-AU"], ["en-US", "en-GB"], "en-GB"],
    [["no"], ["nn", "nb"], "nb"],
    [["nb"], ["no"], "no"],
    [["ar"], ["arz"], "arz"],
    [["id"], ["in"], "in"],
    [["fil"], ["tl"], "tl"],
    [["sr-Latn"], ["sr", "sr-Latn-ME"], "sr-Latn-ME"],
    [["uz-Cyrl"], ["uz", "uz-Cyrl-UZ"], "uz-Cyrl-UZ"],
    [["az-IR"], ["az", "az-Arab"], "az-Arab"],
    [["en"], ["en-x-simple"], "en-x-simple"],
    [["en-x-simple"], ["en", "en-x-simple"], "en-x-simple"],
    [["ms"], ["id"], undefined],
    [["en"], [], undefined],
    [[], ["en"], undefined],
  ] as const)("of %j and %j is %j", (wanted, codes, code) => {
    expect(chooseLanguage(wanted, codes)).toBe(code);
  });

  it("is one of the languages that there are, or none, for any text", () => {
    fc.assert(
      fc.property(fc.array(anyText), fc.array(anyText), (wanted, codes) => {
        const code = chooseLanguage(wanted, codes);
        expect(code === undefined || codes.includes(code)).toBe(true);
      }),
    );
  });
});

describe("the copies", () => {
  const read = (path: string): string => readFileSync(join(PROJECT, path), "utf8");
  /** Without what a formatter changes. */
  const contentOf = (text: string): string => text.replace(/^\/\/ A copy.*\n/, "").replaceAll(/[\s,]/g, "");
  const source = read("src/lib/choose-language.ts");

  it("are up to date: npm run languages", () => {
    expect(contentOf(read("console/src/messages/choose-language.ts"))).toBe(contentOf(source));
    expect(contentOf(read("console/src/library/colors.ts"))).toBe(contentOf(read("src/lib/colors.ts")));
    const hidden = "console/src/uploads/hidden-names.ts";
    expect(contentOf(read(hidden))).toBe(contentOf(read("src/lib/hidden-names.ts")));
  });
});
