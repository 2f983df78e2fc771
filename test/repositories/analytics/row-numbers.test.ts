/** Numbers of rows of words, compared with a map. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { RowNumbers } from "../../../src/repositories/event-counts/row-numbers.ts";

it("rows have the same number each time, in the order in which they came, also when many came between", () => {
  const word = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }));
  const rows = fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 3000, size: "max" });
  fc.assert(
    fc.property(rows, (rows) => {
      const numbers = new RowNumbers(2);
      const expected = new Map<string, number>();
      for (const row of [...rows, ...rows])
        expect(numbers.addRow(row)).toBe(expected.getOrInsert(row.join(), expected.size));
      expect(numbers.length).toBe(expected.size);
      const [first, second] = numbers.columns.map((column) => column.subarray(0, numbers.length));
      const kept = Array.from(first ?? [], (one, number) => `${one},${second?.[number]}`);
      expect(kept).toEqual([...expected.keys()]);
    }),
    { numRuns: 20 },
  );
});
