/** Lists in pieces. */
import { expect, it } from "vitest";
import { batchesOf } from "../../src/lib/collections.ts";

it("keeps every item once and in order, in pieces of at most that size", () => {
  expect(batchesOf([], 2)).toEqual([]);
  expect(batchesOf([1], 2)).toEqual([[1]]);
  expect(batchesOf([1, 2], 2)).toEqual([[1, 2]]);
  expect(batchesOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
});
