/** Files with the rows of a table. */

/** A spreadsheet would run a cell that begins like a formula. */
const guard = (text: string): string => (/^[\s\0]*[=+\-@\t]/.test(text) ? `'${text}` : text);

function writeCell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = guard(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type Row = readonly (string | number)[];

/** With a byte order mark, by which Excel recognises UTF-8. */
export const writeCsv = (rows: readonly Row[]): string =>
  `\uFEFF${rows.map((row) => `${row.map(writeCell).join(",")}\r\n`).join("")}`;
