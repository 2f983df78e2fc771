/** Formats CSV (RFC 4180) with csv-stringify, and protects spreadsheets from formulas in cells. */
import { stringify } from "csv-stringify/sync";

/** A spreadsheet can't execute a number or null, but it can execute text. */
export type CsvCell = string | number | null;

/** Delimiters by the name that the API uses. */
export const DELIMITERS = { comma: ",", semicolon: ";", tab: "\t" } as const;
export type Delimiter = keyof typeof DELIMITERS;

export interface CsvFormat {
  delimiter: Delimiter;
  /** Whether formulas are left unprotected. */
  raw: boolean;
}

/** The records of rows, each ending with CRLF. */
export const formatCsv = (rows: readonly (readonly CsvCell[])[], format: CsvFormat): string =>
  rows.map(recordFormatter(format)).join("");

/** Formats one row after the other as a record that ends with CRLF. */
export function recordFormatter(format: CsvFormat): (row: readonly CsvCell[]) => string {
  const delimiter = DELIMITERS[format.delimiter];
  const guard = (text: string) => (MOST.test(text) ? text : guardCell(text, delimiter));
  const options = {
    delimiter,
    // CRLF is added here: csv-stringify takes a third longer if it searches each cell for two characters.
    eof: false,
    ...(!format.raw && { cast: { string: guard } }),
  };
  return (row) => `${stringify([row], options)}\r\n`;
}

// Prevents formula injection: a cell that a spreadsheet would execute becomes text.

/**
 * Fast path for most cells: they begin with a letter or a digit and contain no separator. Exports format millions of
 * cells.
 */
const MOST = /^[\p{L}\p{N}][^",;\t|]*$/u;

/**
 * Characters that begin a formula: = + - @, also in full width, and tab or carriage return, which some programs treat
 * as the end of a cell. Programs ignore preceding spaces and invisible characters.
 */
const RUNS = /^[\p{Z}\p{C}]*[\t\r=+\-@＝＋－＠]/u;

/**
 * A phone number with plus, digits, brackets, and spaces and hyphens of any kind, except the hyphen that is a minus:
 * nothing that could be executed. Direction marks and other invisible characters come with numbers from address books.
 */
const PHONE =
  /^[\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]*\+[\p{Nd}\p{Zs}()\u2010-\u2015\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]{1,60}$/u;

/**
 * A formula after a separator within the text: a program with a different list separator begins a new cell there,
 * possibly in quotes. The character class in the middle excludes separators, so the search takes linear time.
 */
const RUNS_INSIDE = /([;\t\|][[\p{Z}\p{C}"]--[\t]]*)([=+\-@＝＋－＠])/gv;
/** If the delimiter isn't a comma, a comma doesn't cause quoting. */
const RUNS_INSIDE_OR_COMMA = /([,;\t\|][[\p{Z}\p{C}"]--[\t]]*)([=+\-@＝＋－＠])/gv;

/**
 * The text, with an apostrophe before each character that would begin a formula, which spreadsheets treat as a text
 * marker.
 * @param delimiter of the file
 */
export function guardCell(text: string, delimiter = ","): string {
  const inside = text.replace(delimiter === "," ? RUNS_INSIDE : RUNS_INSIDE_OR_COMMA, "$1'$2");
  return RUNS.test(text) && !PHONE.test(text) ? `'${inside}` : inside;
}
