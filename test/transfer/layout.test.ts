import { describe, expect, it } from "vitest";
import { baseCode, Languages } from "../../src/transfer/language-codes.ts";
import { bookKeys, type Grouped, type Grouping, placeOf, titleFromName } from "../../src/transfer/layout.ts";

const languages = new Languages({ existing: async (codes) => codes.filter((code) => code === "qcx") });
await languages.learn(["qcx"]);
const place = (path: string) => placeOf(path, (code) => languages.isKnown(code));

describe("the place of a file", () => {
  it.each([
    ["ar/the-well.epub", [], "the-well", "ar"],
    ["the-well.ar.pdf", [], "the-well", "ar"],
    ["the-well.pt_BR.pdf", [], "the-well", "pt-BR"],
    ["01 - 一个很高的人 [zh].epub", [], "01 - 一个很高的人", "zh"],
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
  ])("%s", (path, folders, stem, languageCode) => {
    expect(place(path)).toEqual({ folders, stem, languageCode });
  });
});

describe("files form books", () => {
  const keys = (grouping: Grouping, ...files: string[]) => {
    const grouped = files.map(
      (file): Grouped => ({
        place: place(file),
        languageCode: place(file).languageCode ?? "en",
        fileType: file.slice(file.lastIndexOf(".")),
      }),
    );
    const keyOf = bookKeys(grouped, grouping);
    return grouped.map((file) => keyOf(file.place));
  };

  it.each([
    [
      "of equal names in language folders",
      ["ar/well.epub", "en/well.epub", "en/hill.epub"],
      ["well", "well", "hill"],
    ],
    ["of equal names", ["well.ar.epub", "well.en.pdf", "hill.en.pdf"], ["well", "well", "hill"]],
    [
      "one folder a book, whatever its files are called",
      ["a/Well.en.epub", "a/Pozo.es.epub", "b/en.pdf"],
      ["a", "a", "b"],
    ],
    ["folders in language folders", ["en/a/x.epub", "en/a/x.pdf", "es/a/y.epub"], ["a", "a", "a"]],
    [
      "a folder that is a collection",
      ["kids/well.epub", "kids/hill.epub", "old/sea.epub"],
      ["kids/well", "kids/hill", "old/sea"],
    ],
  ])("%s", (_, files, expected) => {
    expect(keys("auto", ...files)).toEqual(expected);
  });

  it("can be told apart by folder or name", () => {
    expect(keys("folder", "a/x.epub", "a/y.epub", "z.epub")).toEqual(["a", "a", "z"]);
    expect(keys("name", "a/x.en.epub", "a/y.es.epub")).toEqual(["a/x", "a/y"]);
  });
});

it.each([
  ["en-US", "en"],
  ["pt-BR", "pt"],
  ["zh-TW", "zh-TW"],
  ["zh-Hant-TW", "zh-Hant"],
  ["sr-Latn", "sr-Latn"],
  ["en-x-simple", "en-x-simple"],
])("drops the region of %s where it says nothing of the script", (code, expected) => {
  expect(baseCode(code)).toBe(expected);
});

it.each([
  ["the-deep_well", "The deep well"],
  ["0001", "0001"],
  ["井", "井"],
])("makes a title of the name %s", (name, title) => {
  expect(titleFromName(name)).toBe(title);
});
