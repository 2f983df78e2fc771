/** Files with the rows of a table. */

/** A spreadsheet would run a cell that begins like a formula. */
const guard = (text: string): string => (/^[\s\0]*[=+\-@\t]/.test(text) ? `'${text}` : text);

function writeCell(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type Row = readonly (string | number)[];

/** For programs, which run no cell. With a byte order mark, by which Excel recognises UTF-8. */
export const writePlainCsv = (rows: readonly Row[]): string =>
  `\uFEFF${rows.map((row) => `${row.map(writeCell).join(",")}\r\n`).join("")}`;

export const writeCsv = (rows: readonly Row[]): string =>
  writePlainCsv(rows.map((row) => row.map((value) => (typeof value === "number" ? value : guard(value)))));
