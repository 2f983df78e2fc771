/** Which titles of a file can be those of its book, and which codes can mean its language. */
import { describe, expect, it } from "vitest";
import { areRelatedLanguages } from "../../src/lib/related-languages.ts";
import { findScript, isLikeTitle, isNoTitle } from "../../src/lib/titles.ts";

describe("isLikeTitle", () => {
  it.each([
    ["The Deep Well", "the deep well"],
    ["The Deep Well: A Tale of Water", "The Deep Well"],
    ["The Deep Well", "The Deep Well — Storybooks 4"],
    ["Vol. 1: The Deep Well", "The deep well"],
    ["Goat, Dog and Cow", "Goat, Dog, and Cow!"],
    ["Well, The Deep", "The Deep Well"],
    ["El Niño", "El nino"],
    ["Colour of water", "Color of Water"],
    ["Оркестр и котёнок", "Оркестр и котенок"],
    ["数学", "数学 一年级"],
    ["小学数学", "数学"],
    ["สวัสดี", "หนังสือสวัสดี"],
    ["كتاب الماء", "كِتابُ الماء"],
    ["The Well (Level 2)", "The Well"],
    ["Deep Well [en]", "The Deep Well"],
    ["The Deep Well (a novel)", "Deep Well"],
    ["Colour", "Color"],
    ["", "The Well"],
  ])("%j can be %j", (one, other) => {
    expect([isLikeTitle(one, other), isLikeTitle(other, one)]).toEqual([true, true]);
  });

  it.each([
    ["Ананси и Мудрость", "Simbegwire"],
    ["Математика 1", "Физика 1"],
    ["Математика 1", "Математика 2"],
    ["数学", "语文"],
    ["The Rainbow", "The Deep Well"],
    ["The Goat", "The Boat"],
    ["Part (1)", "Part (2)"],
    ["Heart", "Hart"],
  ])("%j can't be %j", (one, other) => {
    expect([isLikeTitle(one, other), isLikeTitle(other, one)]).toEqual([false, false]);
  });
});

describe("isNoTitle", () => {
  it.each([
    "",
    "Untitled",
    "untitled 2",
    "Unknown",
    "[Unknown]",
    "Document1",
    "Document 1",
    "Microsoft Word - x.doc",
    "draft_final.docx",
    "PowerPoint Presentation",
    "Без названия",
    "无标题",
    "1984",
    "0006",
    "Cabra FINAL v2",
  ])("%j says nothing", (title) => {
    expect(isNoTitle(title, "cabra-final_v2.pdf")).toBe(true);
  });

  it.each(["The Unknown Soldier", "Untitled Poems of Ana", "Book of the Dead", "Cabra"])(
    "%j does",
    (title) => {
      expect(isNoTitle(title, "cabra-final_v2.pdf")).toBe(false);
    },
  );
});

describe("areRelatedLanguages", () => {
  it.each([
    ["es", "es-419"],
    ["zh-TW", "zh-Hans"],
    ["arz", "ar"],
    ["no", "nb"],
    ["nn", "no"],
    ["yue", "zh"],
    ["prs", "fa"],
    ["ckb", "ku"],
    ["id", "ms"],
    ["QUZ", "qu"],
    ["hyw", "hy"],
  ])("%s and %s", (one, other) => {
    expect([areRelatedLanguages(one, other), areRelatedLanguages(other, one)]).toEqual([true, true]);
  });

  it.each([
    ["ru", "ar"],
    ["nb", "nn"],
    ["arz", "apc"],
    ["hr", "sr"],
    ["pt", "es"],
  ])("not %s and %s", (one, other) => {
    expect([areRelatedLanguages(one, other), areRelatedLanguages(other, one)]).toEqual([false, false]);
  });
});

it.each([
  ["The Well", "Latin"],
  ["Колодец WWW", "Cyrillic"],
  ["吾輩は猫", "Han Hiragana Katakana"],
  ["어린 왕자", "Hangul"],
  ["كتاب 1", "Arabic"],
  ["1984", undefined],
])("the script of %s is %s", (title, script) => {
  expect(findScript(title)).toBe(script);
});
