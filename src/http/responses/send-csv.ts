/** Sends a table as CSV while it is being read. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type CsvFormat, csvText } from "../../lib/csv.ts";
import { createYielder } from "../../lib/event-loop.ts";
import type { CsvCell, CsvDocument, CsvPage } from "../../services/results.ts";
import { sendAttachment } from "./send-stream.ts";

export const sendCsv = (req: IncomingMessage, res: ServerResponse, document: CsvDocument): Promise<void> =>
  sendAttachment(req, res, {
    fileName: document.fileName,
    mediaType: "text/csv; charset=utf-8; header=present",
    pieces: csvBytes(document),
  });

/** Characters that are written at one go: some milliseconds' work. */
const PIECE_CHARACTERS = 250_000;

/** As long as a cell takes whatever it holds. */
const CELL_CHARACTERS = 50;

const BOM = "\u{FEFF}";

/** The header with the first page, then page by page, yielding to the event loop in between. */
export async function* csvBytes({
  columns,
  pages,
  bom,
  raw,
  delimiter,
}: CsvDocument): AsyncGenerator<Buffer, void> {
  const format = { raw, delimiter };
  let before = (bom ? BOM : "") + csvText([columns], format);
  const yieldToEventLoop = createYielder();
  for await (const page of pages) {
    for (const records of recordsOf(page, format)) {
      if (before !== "") yield Buffer.concat([Buffer.from(before), records]);
      else if (records.length > 0) yield records;
      before = "";
      await yieldToEventLoop();
    }
  }
  if (before !== "") yield Buffer.from(before);
}

function* recordsOf(page: CsvPage | Buffer, format: CsvFormat): Generator<Buffer, void> {
  if (Buffer.isBuffer(page)) yield page;
  else for (const piece of piecesOf(page)) yield Buffer.from(csvText(piece, format));
}

/** A page without rows is a piece too, so that the header doesn't wait for the first page with some. */
function* piecesOf(page: CsvPage): Generator<CsvPage, void> {
  let start = 0;
  let characters = 0;
  for (const [index, row] of page.entries()) {
    for (const cell of row) characters += CELL_CHARACTERS + lengthOf(cell);
    if (characters < PIECE_CHARACTERS) continue;
    yield page.slice(start, index + 1);
    start = index + 1;
    characters = 0;
  }
  if (start < page.length || page.length === 0) yield page.slice(start);
}

const lengthOf = (cell: CsvCell): number => (typeof cell === "string" ? cell.length : 0);
