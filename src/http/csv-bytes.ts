/** CSV as bytes: RFC 4180, in UTF-8. */
import { stringify } from "csv-stringify/sync";
import { guardedCell } from "../lib/csv-guard.ts";
import { turns } from "../lib/turns.ts";
import type { CsvCell, CsvDocument, CsvPage } from "../services/csv-document.ts";

/** Characters that are written at one go: some milliseconds' work. */
const PIECE_CHARACTERS = 250_000;

/** As long as a cell takes whatever it holds. */
const CELL_CHARACTERS = 50;

const BOM = "\u{FEFF}";

/** The header with the first page, then page by page, with turns for others in between. */
export async function* csvBytes({ columns, pages, bom, raw }: CsvDocument): AsyncGenerator<Buffer, void> {
  const format = {
    record_delimiter: "\r\n",
    // Any line break, not only that of the records.
    quote_record_delimiter: true,
    // So that a row of one empty cell isn't an empty line, which readers skip.
    quoted_empty: columns.length === 1,
    ...(!raw && { cast: { string: guardedCell } }),
  };
  let before = (bom ? BOM : "") + stringify([columns], format);
  const nextTurn = turns();
  for await (const page of pages) {
    for (const piece of piecesOf(page)) {
      yield Buffer.from(before + stringify(piece, format));
      before = "";
      await nextTurn();
    }
  }
  if (before !== "") yield Buffer.from(before);
}

function* piecesOf(page: CsvPage): Generator<(readonly CsvCell[])[], void> {
  let start = 0;
  let characters = 0;
  for (const [index, row] of page.entries()) {
    for (const cell of row) characters += CELL_CHARACTERS + lengthOf(cell);
    if (characters < PIECE_CHARACTERS) continue;
    yield page.slice(start, index + 1);
    start = index + 1;
    characters = 0;
  }
  if (start < page.length) yield page.slice(start);
}

const lengthOf = (cell: CsvCell): number => (typeof cell === "string" ? cell.length : 0);
