/** Puts corrected texts into the cells of a table. */
import type { ImportCorrection } from "../../../schemas/import-corrections.schemas.ts";
import type { Failure } from "../library.ts";
import type { Line, Table } from "./table.ts";

/** A correction without its cell becomes a failure. One of the header gives a column the name that counts for all others. */
export function correctTable(
  table: Table,
  corrections: readonly ImportCorrection[],
  failures: Failure[],
): Table {
  const [header] = table.lines;
  const columns = new Map((header?.cells ?? []).map((text, index) => [foldHeading(text), index]));
  const byNumber = new Map(table.lines.map((line) => [line.number, line]));
  const isOfHeader = ({ line }: ImportCorrection) => line === header?.number;
  const ofHeader = corrections.filter(isOfHeader);
  const ofRows = corrections.filter((correction) => !isOfHeader(correction));
  for (const { line: number, column, value } of [...ofHeader, ...ofRows]) {
    if (number === undefined || column === undefined || value === undefined) continue;
    const line = byNumber.get(number);
    const index = columns.get(foldHeading(column));
    if (!line || index === undefined)
      failures.push({
        subject: `line ${number}, column ${column}`,
        reason: NO_CELL,
        code: "correction_unfit",
      });
    else byNumber.set(number, withCell(line, index, value));
    if (number === header?.number && index !== undefined) columns.set(foldHeading(value), index);
  }
  return { ...table, lines: table.lines.map((line) => byNumber.get(line.number) ?? line) };
}

const NO_CELL = "The catalogue has no such cell, which a correction names.";

const foldHeading = (text: string): string => text.trim().toLowerCase();

/** Lines can end before their last columns. */
function withCell({ number, cells }: Line, index: number, value: string): Line {
  const length = Math.max(cells.length, index + 1);
  return {
    number,
    cells: Array.from({ length }, (_, place) => (place === index ? value : (cells[place] ?? ""))),
  };
}
