/** The rows of a table of books: cells by column, each with its place for messages. */
import { basename } from "node:path";
import type { CellPlace, Failure } from "../library.ts";
import { MAX_CELL } from "../metadata/metadata-messages.ts";
import type { Remark } from "../remarks.ts";
import { createNameReplacer } from "../written-language.ts";
import type { Column } from "./column-names.ts";
import type { Header } from "./columns.ts";
import type { Line, Table } from "./table.ts";

export interface Cell {
  /** In the column of languages, a name is replaced by its code. */
  text: string;
  /** Its line and column, for messages. */
  place: string;
  at: CellPlace;
}

export interface Row {
  /** For messages. */
  place: string;
  line: number;
  /** Those that aren't empty. */
  cells: ReadonlyMap<Column, Cell>;
  /** What is wrong with its cells. */
  failures: Failure[];
}

interface RowOptions {
  header: Header;
  /** Whether cells in columns without a known name are left out. */
  skipsUnknown: boolean;
  remarks: Remark[];
}

export function readRows({ name, lines }: Table, options: RowOptions): Row[] {
  const file = basename(name);
  const replaceName = createNameReplacer(options.remarks);
  return lines
    .slice(1)
    .map((line) => readRow(line, `line ${line.number} of ${file}`, { ...options, replaceName }));
}

interface CellOptions extends Pick<RowOptions, "header" | "skipsUnknown"> {
  replaceName(text: string): string;
}

function readRow(line: Line, place: string, { header, skipsUnknown, replaceName }: CellOptions): Row {
  const cells = new Map<Column, Cell>();
  const failures: Failure[] = [];
  for (const [index, given] of line.cells.entries()) {
    const text = removeGuard(given.trim());
    const heading = header.headings[index];
    if (text === "" || (!heading && skipsUnknown)) continue;
    const subject = `${place}, column ${heading?.text ?? index + 1}`;
    const objection = heading ? findObjection(text) : NO_NAME;
    const at = { line: line.number, column: heading?.text, value: text };
    if (objection) failures.push({ subject, ...objection, cell: at });
    else if (heading) {
      const value = heading.column === "language" ? replaceName(text) : text;
      cells.set(heading.column, { text: value, place: `${subject}, ${quote(text)}`, at });
    }
  }
  return { place, line: line.number, cells, failures };
}

/**
 * The apostrophe with which exports keep spreadsheet programs from running a cell, and the formula of nothing but a text
 * with which they keep its digits: `="0306406152"`.
 */
const removeGuard = (text: string): string =>
  text.replace(/^'(?=[\p{Z}\p{C}]*[\t\r=+\-@＝＋－＠])/u, "").replace(/^="([^"]*)"$/, "$1");

type Objection = Pick<Failure, "reason" | "problem">;

const NO_NAME: Objection = {
  problem: "column_unnamed",
  reason:
    "The header has no name for it. If a text contains the separator of the columns, put the text in quotes.",
};

function findObjection(text: string): Objection | undefined {
  if (text.length > MAX_CELL)
    return { problem: "too_big", reason: `It has more than ${MAX_CELL} characters.` };
  return ERROR_VALUES.has(text)
    ? { problem: "cell_error", reason: `The spreadsheet has the error ${text} there.` }
    : undefined;
}

/** What spreadsheets show in place of the result of a wrong formula. */
const ERROR_VALUES = new Set([
  "#CALC!",
  "#DIV/0!",
  "#FIELD!",
  "#N/A",
  "#NAME?",
  "#NULL!",
  "#NUM!",
  "#REF!",
  "#SPILL!",
  "#VALUE!",
]);

const MAX_QUOTED = 60;

/** In quotation marks, on one line. */
function quote(text: string): string {
  const line = text.slice(0, MAX_QUOTED).replace(/\s+/g, " ");
  return `“${line}${text.length > MAX_QUOTED ? "…" : ""}”`;
}
