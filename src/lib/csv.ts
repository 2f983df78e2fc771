/** CSV as text (RFC 4180), written by csv-stringify; cells that a spreadsheet would run are guarded before. */
import { stringify } from "csv-stringify/sync";

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

/** The records of rows, each with its CRLF. */
export function csvText(rows: readonly (readonly CsvCell[])[], format: CsvFormat): string {
  const delimiter = DELIMITERS[format.delimiter];
  const guard = (text: string) => (MOST.test(text) ? text : guardedCell(text, delimiter));
  return stringify([...rows], {
    delimiter,
    record_delimiter: "\r\n",
    quote_record_delimiter: true,
    ...(!format.raw && { cast: { string: guard } }),
  });
}

// Keeps a spreadsheet from running what somebody else wrote: a cell that it would take for a formula becomes text.

/** Most cells can't run: they begin with a letter or a digit and hold no separator. Exports write millions. */
const MOST = /^[\p{L}\p{N}][^",;\t|]*$/u;

/**
 * What makes a formula of a cell: = + - @, as full-width characters too, and a tab or carriage return, which some take
 * for the cell's end. Spaces and what can't be seen before it are dropped on reading.
 */
const RUNS = /^[\p{Z}\p{C}]*[\t\r=+\-@＝＋－＠]/u;

/** Plus, digits, spaces and brackets alone: nothing that could be computed. */
const PHONE = /^\+[\d ()]{1,50}$/;

/**
 * The same behind a separator within the text: where the list separator is another than the file's, a new cell begins
 * there, perhaps in quotes. The class in the middle holds no separator, so that the search is linear.
 */
const RUNS_INSIDE = /([;\t\|][[\p{Z}\p{C}"]--[\t]]*)([=+\-@＝＋－＠])/gv;
/** In a file whose delimiter isn't a comma, a comma doesn't put its cell into quotes. */
const RUNS_INSIDE_OR_COMMA = /([,;\t\|][[\p{Z}\p{C}"]--[\t]]*)([=+\-@＝＋－＠])/gv;

/**
 * The text as it is or, where it would run, with an apostrophe before the sign, by which spreadsheets know text.
 * @param delimiter of the file
 */
export function guardedCell(text: string, delimiter = ","): string {
  const inside = text.replace(delimiter === "," ? RUNS_INSIDE : RUNS_INSIDE_OR_COMMA, "$1'$2");
  return RUNS.test(text) && !PHONE.test(text) ? `'${inside}` : inside;
}
