/** CSV as text (RFC 4180). */

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

/**
 * Most cells: they need no quotes, and can't run, since they begin with a letter or a digit. Exports write millions.
 */
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

// Keeps a spreadsheet from running what somebody else wrote: a cell that it would take for a formula becomes text.

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
