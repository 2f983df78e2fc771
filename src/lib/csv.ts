/** CSV as text (RFC 4180). */
import { guardedCell } from "./csv-guard.ts";

/** A number or null can't run in a spreadsheet; text may. */
export type CsvCell = string | number | null;

/** Most cells: they need no quotes, and what begins with a letter or a digit can't run. Exports write millions. */
const PLAIN = /^[\p{L}\p{N}][^",\r\n]*$/u;

/** What can't stand in a cell without quotes around it: any line break, not only that of the records. */
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * The records of rows, each with its CRLF.
 * @param raw whether text that a spreadsheet would run goes out as it is
 */
export function csvText(rows: readonly (readonly CsvCell[])[], { raw }: { raw: boolean }): string {
  let records = "";
  for (const row of rows) {
    let before = "";
    for (const cell of row) {
      records += before;
      records += typeof cell === "string" ? cellOf(cell, raw) : (cell ?? "");
      before = ",";
    }
    // A row of one empty cell must not be an empty line, which readers skip.
    records += isEmpty(row) ? '""\r\n' : "\r\n";
  }
  return records;
}

function cellOf(given: string, raw: boolean): string {
  if (given === "" || PLAIN.test(given)) return given;
  const text = raw ? given : guardedCell(given);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const isEmpty = (row: readonly CsvCell[]): boolean => row.length === 1 && (row[0] === null || row[0] === "");
