/** Lists in pieces. */
import { expect, it } from "vitest";
import { splitIntoBatches } from "../../src/lib/collections.ts";

it("keeps every item once and in order, in batches of at most the given size", () => {
  expect(splitIntoBatches([], 2)).toEqual([]);
  expect(splitIntoBatches([1], 2)).toEqual([[1]]);
  expect(splitIntoBatches([1, 2], 2)).toEqual([[1, 2]]);
  expect(splitIntoBatches([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
});
