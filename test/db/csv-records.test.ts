/** How pages of records are encoded; their users are csv-reader.slow and the exports. */
import { expect, it } from "vitest";
import { formatCsvRecords } from "../../src/db/csv-records.ts";
import { formatCsv } from "../../src/lib/csv.ts";

const FORMAT = { delimiter: "comma", raw: false } as const;
/** Half a megabyte in UTF-8. */
const ROWS = Array.from({ length: 500 }, (_, number) => [number, "كتاب, 本 📚 ".repeat(50)]);

it("encodes a page completely, regardless of the length of its records", () => {
  const page = formatCsvRecords(["id", "title"], structuredClone(ROWS), { ...FORMAT, isLastFirst: false });
  expect(new TextDecoder().decode(page)).toBe(formatCsv(ROWS, FORMAT));
});
