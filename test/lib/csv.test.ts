import { stringify } from "csv-stringify/sync";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type CsvCell, csvText } from "../../src/lib/csv.ts";
import { guardedCell } from "../../src/lib/csv-guard.ts";
import { anyText } from "../support/any-text.ts";
import { readCsv } from "../support/read-csv.ts";

const cells = fc.oneof(
  anyText,
  fc.constantFrom<CsvCell>(null, "", ",", '"', "\r", "\n", "=1", " ", 0, -5, 1.5),
);
const tables = fc
  .integer({ min: 1, max: 4 })
  .chain((width) => fc.array(fc.array(cells, { minLength: width, maxLength: width }), { maxLength: 5 }));

it("writes what csv-stringify writes", () => {
  fc.assert(
    fc.property(tables, fc.boolean(), (rows, raw) => {
      const expected = stringify(
        rows.map((row) => [...row]),
        {
          record_delimiter: "\r\n",
          quote_record_delimiter: true,
          quoted_match: /[\r\n]/,
          quoted_empty: rows[0]?.length === 1,
          ...(!raw && { cast: { string: guardedCell } }),
        },
      );
      expect(csvText(rows, { raw })).toBe(expected);
    }),
  );
});

it("reads back as it was", () => {
  fc.assert(
    fc.property(tables, (rows) => {
      const texts = rows.map((row) => row.map((cell) => (cell === null ? "" : String(cell))));
      expect(readCsv(csvText(rows, { raw: true }))).toEqual(texts);
    }),
  );
});

it("T19 guards text and leaves numbers", () => {
  expect(csvText([["=1", -1, null]], { raw: false })).toBe("'=1,-1,\r\n");
  expect(csvText([["=1", -1, null]], { raw: true })).toBe("=1,-1,\r\n");
});
