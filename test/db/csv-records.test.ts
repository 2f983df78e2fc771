/** Pages of records. */
import { describe, expect, it } from "vitest";
import { csvRecords } from "../../src/db/csv-records.ts";
import { csvText } from "../../src/lib/csv.ts";

const FORMAT = { delimiter: "comma", raw: false } as const;
/** Half a megabyte in UTF-8. */
const ROWS = Array.from({ length: 500 }, (_, number) => [number, "كتاب, 本 📚 ".repeat(50)]);

const textOf = (isLastFirst: boolean, rows = ROWS): string => {
  const page = csvRecords(["id", "title"], structuredClone(rows), { ...FORMAT, isLastFirst });
  return new TextDecoder().decode(page);
};

describe("a page of records", () => {
  it("is complete, regardless of the length of its records", () => {
    expect(textOf(false)).toBe(csvText(ROWS, FORMAT));
  });

  it("begins with the last one on request", () => {
    expect(textOf(true)).toBe(csvText(ROWS.toReversed(), FORMAT));
  });

  it("contains nothing of the previous page", () => {
    textOf(false);
    expect(textOf(true, [[1, "a"]])).toBe("1,a\r\n");
    expect(textOf(true, [])).toBe("");
  });
});
