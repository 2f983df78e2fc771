/** Lists in pieces. */
import { expect, it } from "vitest";
import { batchesOf } from "../../src/lib/collections.ts";

it("keeps every item once and in order, in batches of at most the given size", () => {
  expect(batchesOf([], 2)).toEqual([]);
  expect(batchesOf([1], 2)).toEqual([[1]]);
  expect(batchesOf([1, 2], 2)).toEqual([[1, 2]]);
  expect(batchesOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
});
