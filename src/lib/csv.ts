/** CSV as text (RFC 4180). */
import { guardedCell } from "./csv-guard.ts";

/** A number or null can't run in a spreadsheet; text may. */
export type CsvCell = string | number | null;

/** What stands between cells, by the name that callers give it. */
export const DELIMITERS = { comma: ",", semicolon: ";", tab: "\t" } as const;
export type Delimiter = keyof typeof DELIMITERS;

export interface CsvFormat {
  delimiter: Delimiter;
  /** Whether text that a spreadsheet would run goes out as it is. */
  raw: boolean;
}

/** Most cells: they need no quotes, and can't run, since they begin with a letter or a digit. Exports write millions. */
const PLAIN = /^[\p{L}\p{N}][^",;\t|\r\n]*$/u;

/** What can't stand in a cell without quotes around it: any line break, not only that of the records. */
const NEEDS_QUOTES: Readonly<Record<Delimiter, RegExp>> = {
  comma: /[",\r\n]/,
  semicolon: /[";\r\n]/,
  tab: /["\t\r\n]/,
};

/** The records of rows, each with its CRLF. */
export function csvText(rows: readonly (readonly CsvCell[])[], format: CsvFormat): string {
  const delimiter = DELIMITERS[format.delimiter];
  let records = "";
  for (const row of rows) {
    let before = "";
    for (const cell of row) {
      records += before;
      records += typeof cell === "string" ? cellOf(cell, format) : (cell ?? "");
      before = delimiter;
    }
    // A row of one empty cell must not be an empty line, which readers skip.
    records += isEmpty(row) ? '""\r\n' : "\r\n";
  }
  return records;
}

function cellOf(given: string, { delimiter, raw }: CsvFormat): string {
  if (given === "" || PLAIN.test(given)) return given;
  const text = raw ? given : guardedCell(given, DELIMITERS[delimiter]);
  return NEEDS_QUOTES[delimiter].test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const isEmpty = (row: readonly CsvCell[]): boolean => row.length === 1 && (row[0] === null || row[0] === "");
