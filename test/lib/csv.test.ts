import fc from "fast-check";
import { expect, it } from "vitest";
import { type CsvCell, DELIMITERS, type Delimiter, formatCsv, guardCell } from "../../src/lib/csv.ts";
import { anyText } from "../support/any-text.ts";
import { readCsv } from "../support/read-csv.ts";

const signs = fc.string({ unit: fc.constantFrom(..."=+-@;|,\t\r\n\" 'a1＝\u00a0"), maxLength: 8 });
const cells = fc.oneof(
  anyText,
  signs,
  fc.constantFrom<CsvCell>(null, "", ",", ";", "\t", '"', "\r", "\n", "=1", " ", 0, -5, 1.5),
);
const tables = fc
  .integer({ min: 2, max: 4 })
  .chain((width) => fc.array(fc.array(cells, { minLength: width, maxLength: width }), { maxLength: 5 }));
const delimiters = fc.constantFrom<Delimiter>("comma", "semicolon", "tab");

it("formatCsv round-trips every cell, with every delimiter", () => {
  fc.assert(
    fc.property(tables, delimiters, (rows, delimiter) => {
      const texts = rows.map((row) => row.map((cell) => (cell === null ? "" : String(cell))));
      const text = formatCsv(rows, { raw: true, delimiter });
      expect(readCsv(text, DELIMITERS[delimiter])).toEqual(texts);
    }),
  );
});

it("formatCsv guards every text and no number, with every delimiter", () => {
  fc.assert(
    fc.property(tables, delimiters, (rows, name) => {
      const delimiter = DELIMITERS[name];
      const guarded = rows.map((row) =>
        row.map((cell) => (typeof cell === "string" ? guardCell(cell, delimiter) : String(cell ?? ""))),
      );
      expect(readCsv(formatCsv(rows, { raw: false, delimiter: name }), delimiter)).toEqual(guarded);
    }),
  );
});

it("guards text and leaves numbers", () => {
  expect(formatCsv([["=1", -1, null]], { raw: false, delimiter: "comma" })).toBe("'=1,-1,\r\n");
  expect(formatCsv([["=1", -1, null]], { raw: true, delimiter: "comma" })).toBe("=1,-1,\r\n");
});

it("has no cell that is executed, regardless of the separator that a spreadsheet assumes", () => {
  const runs = /^["\p{Z}\p{C}]*[=+\-@＝＋－＠]/u;
  const phone = /^\+[\d ()]+$/;
  fc.assert(
    fc.property(fc.array(signs, { minLength: 1, maxLength: 3 }), delimiters, (row, delimiter) => {
      const text = formatCsv([row.map((cell) => `a${cell.replace(/[\r\n]/g, "")}`)], {
        raw: false,
        delimiter,
      });
      for (const separator of ";\t|") {
        const split = text.slice(0, -2).split(separator);
        expect(split.filter((cell) => runs.test(cell) && !phone.test(cell))).toEqual([]);
      }
    }),
  );
});
