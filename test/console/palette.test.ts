/** The palette of the console: which labels some letters find. */
import { expect, it } from "vitest";
import { holdsWords } from "../../console/src/frame/palette-words.ts";

it.each([
  ["Add a book", "book add", true],
  ["Books: without cover", "BOOKS cover", true],
  ["Núñez", "nunez", true],
  ["كِتاب", "كتاب", true],
  ["Anything", "", true],
  ["Add a book", "add books", false],
])("a label is found %j by %j: %j", (label, words, isFound) => {
  expect(holdsWords(label, words, "en")).toBe(isFound);
});
