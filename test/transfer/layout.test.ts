import { describe, expect, it } from "vitest";
import { findBaseCode, Languages } from "../../src/operation/transfer/language-codes.ts";
import {
  createTitle,
  type Grouped,
  groupIntoBooks,
  parsePlace,
} from "../../src/operation/transfer/layout.ts";
import type { Grouping } from "../../src/schemas/import-rules.schemas.ts";

const languages = new Languages({ findExisting: async (codes) => codes.filter((code) => code === "qcx") });
await languages.learn(["qcx"]);
const place = (path: string) => parsePlace(path, (code) => languages.isKnown(code));

describe("the place of a file", () => {
  it.each([
    ["ar/the-well.epub", [], "the-well", "ar"],
    ["the-well.ar.pdf", [], "the-well", "ar"],
    ["the-well.pt_BR.pdf", [], "the-well", "pt-BR"],
    ["01 - 一个很高的人 [zh].epub", [], "01 - 一个很高的人", "zh"],
    ["一个很高的人【zh】.epub", [], "一个很高的人", "zh"],
    ["The well (fr).mp3", [], "The well", "fr"],
    ["the-well/ar.epub", ["the-well"], "", "ar"],
    ["the-well/ar/book.epub", ["the-well"], "book", "ar"],
    ["books/zh-Hant/the-well/book.zh.kepub.epub", ["books", "the-well"], "book", "zh"],
    ["qcx/the-well.epub", [], "the-well", "qcx"],
    ["en.epub", [], "en", undefined],
    ["sun/cat.epub", ["sun"], "cat", undefined],
    ["The old man.v2.pdf", [], "The old man.v2", undefined],
    ["St. Nick.final.pdf", [], "St. Nick.final", undefined],
    ["qcy/the-well.epub", ["qcy"], "the-well", undefined],
  ])("is read as %s", (path, folders, stem, languageCode) => {
    expect(place(path)).toEqual({ folders, stem, languageCode });
  });

  it.each([
    ["Español/el-pozo.epub", [], "el-pozo", "es", "Español"],
    ["SWAHILI/kisima.pdf", [], "kisima", "sw", "SWAHILI"],
    ["中文/the-well/井.epub", ["the-well"], "井", "zh", "中文"],
    ["Brazilian_Portuguese/o-poço.epub", [], "o-poço", "pt-BR", "Brazilian_Portuguese"],
    ["moon and fish (french).pdf", [], "moon and fish", "fr", "french"],
    ["月と魚（日本語）.pdf", [], "月と魚", "ja", "日本語"],
    ["moon [Français].pdf", [], "moon", "fr", "Français"],
    ["the-well/العربية.epub", ["the-well"], "", "ar", "العربية"],
    ["moon.spanish.pdf", [], "moon", "es", "spanish"],
  ])("gives the language: %s", (path, folders, stem, languageCode, languageName) => {
    expect(place(path)).toEqual({ folders, stem, languageCode, languageName });
  });

  it.each([
    ["moon_fish_spanish.pdf", "moon_fish", "es"],
    ["moon-fish-swahili.pdf", "moon-fish", "sw"],
    ["Moon and fish - Urdu.pdf", "Moon and fish", "ur"],
  ])("gives the language by its last word: %s", (path, stem, languageCode) => {
    const withoutLastWord = { folders: [], stem: path.slice(0, -4), languageCode: undefined };
    expect(place(path)).toMatchObject({ folders: [], stem, languageCode, withoutLastWord });
  });

  it.each([
    ["French books/moon.pdf", ["French books"], "moon", undefined],
    ["Learn French.pdf", [], "Learn French", undefined],
    ["en/learn_french.pdf", [], "learn_french", "en"],
    ["The French.pdf", [], "The French", undefined],
    ["sea_cat.pdf", [], "sea_cat", undefined],
    ["Seneca/letters.pdf", ["Seneca"], "letters", undefined],
    ["Frensh/moon.pdf", ["Frensh"], "moon", undefined],
  ])("gives no language: %s", (path, folders, stem, languageCode) => {
    expect(place(path)).toEqual({ folders, stem, languageCode });
  });
});

describe("the files of a folder are grouped into books", () => {
  const group = (grouping: Grouping, files: readonly string[], withCover: readonly string[] = []) => {
    const grouped = files.map(
      (file): Grouped => ({
        place: place(file),
        languageCode: place(file).languageCode ?? "en",
        fileType: file.slice(file.lastIndexOf(".")),
      }),
    );
    const { keyOf, mixed } = groupIntoBooks(grouped, grouping, new Set(withCover));
    return { keys: grouped.map((file) => keyOf(file.place)), mixed };
  };

  it.each([
    [
      "by equal names in language folders",
      ["ar/well.epub", "en/well.epub", "en/hill.epub"],
      ["well", "well", "hill"],
    ],
    ["by equal names", ["well.ar.epub", "well.en.pdf", "hill.en.pdf"], ["well", "well", "hill"]],
    [
      "by folder if the files are only called by a language, or book",
      ["a/en.epub", "a/Español.epub", "a/ar/book.epub", "b/Book.fr.pdf", "book.epub"],
      ["a", "a", "a", "b", "book"],
    ],
    [
      "by name, regardless of the folder above",
      ["backup/well.epub", "Ana/hill.en.txt"],
      ["backup/well", "Ana/hill"],
    ],
    [
      "by name in a folder that is a collection",
      ["kids/well.epub", "kids/hill.epub", "old/sea.epub"],
      ["kids/well", "kids/hill", "old/sea"],
    ],
  ])("%s", (_, files, expected) => {
    expect(group("auto", files)).toEqual({ keys: expected, mixed: [] });
  });

  it("by folder, despite different names, if the folder has a cover", () => {
    const files = ["a/Well.en.epub", "a/es/Pozo.epub", "b/Well.en.epub", "b/Pozo.es.epub", "b/es.pdf"];
    expect(group("auto", files, ["a"])).toEqual({
      keys: ["a", "a", "b/Well", "b/Pozo", "b"],
      mixed: [{ folder: "a", names: 2, isOneBook: true }],
    });
    expect(group("auto", files.slice(0, 4))).toEqual({
      keys: ["a/Well", "a/Pozo", "b/Well", "b/Pozo"],
      mixed: [
        { folder: "a", names: 2, isOneBook: false },
        { folder: "b", names: 2, isOneBook: false },
      ],
    });
  });

  it("by name if a folder with a cover has two files in one language", () => {
    const files = ["a/Well.en.epub", "a/Hill.en.pdf"];
    expect(group("auto", files, ["a"])).toEqual({ keys: ["a/Well", "a/Hill"], mixed: [] });
  });

  it("by folder or by name on demand", () => {
    expect(group("folder", ["a/x.epub", "a/y.epub", "z.epub"]).keys).toEqual(["a", "a", "z"]);
    expect(group("name", ["a/x.en.epub", "a/y.es.epub"], ["a"])).toEqual({
      keys: ["a/x", "a/y"],
      mixed: [],
    });
  });
});

it.each([
  ["en-US", "en"],
  ["pt-BR", "pt"],
  ["zh-TW", "zh-TW"],
  ["zh-Hant-TW", "zh-Hant"],
  ["sr-Latn", "sr-Latn"],
  ["en-x-simple", "en-x-simple"],
])("drops the region of %s if the region doesn't determine the script", (code, expected) => {
  expect(findBaseCode(code)).toBe(expected);
});

it.each([
  ["the-deep_well", "The deep well"],
  ["0001", "0001"],
  ["井", "井"],
])("derives a title from the name %s", (name, title) => {
  expect(createTitle(name)).toBe(title);
});
