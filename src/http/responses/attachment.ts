/** Sends documents to save under a file name, in pieces while they are created: CSV tables and JSON. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { create } from "content-disposition";
import { createYielder } from "../../lib/event-loop.ts";
import type { CsvCell, CsvDocument, CsvPage, JsonDocument } from "../../services/shared/results.ts";

interface Attachment {
  /** Including the file extension. */
  fileName: string;
  mediaType: string;
  /** Created when the client has received the previous ones. */
  pieces: AsyncIterable<Buffer>;
}

/**
 * Resolves when the last byte has been written, or when the client has disconnected. Rejects if a piece can't be
 * created: before the first one nothing has been sent; later the response is left open, and must not be ended as if it
 * were complete.
 */
async function sendAttachment(
  req: IncomingMessage,
  res: ServerResponse,
  document: Attachment,
): Promise<void> {
  if (req.method === "HEAD") return void begin(res, document).end();
  for await (const bytes of document.pieces) {
    if (!res.headersSent) begin(res, document);
    const isTaken = await write(res, bytes);
    // Leaving the loop ends the generator.
    if (!isTaken) return;
  }
  res.end();
}

function begin(res: ServerResponse, { fileName, mediaType }: Attachment): ServerResponse {
  res.setHeader("Content-Type", mediaType);
  res.setHeader("Content-Disposition", formatAttachment(fileName));
  return res;
}

/** True if there is room for more, false if the client has disconnected. */
export function write(res: ServerResponse, bytes: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    const clientLeft = () => resolve(false);
    res.once("close", clientLeft);
    res.write(bytes, (error) => {
      res.off("close", clientLeft);
      resolve(error === null || error === undefined);
    });
  });
}

/**
 * The Content-Disposition of a download: `attachment` with the original name (`filename*`, RFC 8187) and an ASCII name
 * for clients that read nothing else, such as `curl -OJ` (`filename`, RFC 6266).
 * @param asciiName the ASCII name if letters or digits of the name would be lost
 */
export function formatAttachment(fileName: string, asciiName?: string): string {
  // A lone surrogate can't be percent-encoded, and a slash would be treated as a folder.
  const name = fileName.toWellFormed().replace(/[/\\]/g, "_");
  if (isAscii(name)) return create(name);
  const plain = dropAccents(name);
  return create(name, { fallback: asciiName && LOSES.test(plain) ? asciiName : toAsciiName(plain) });
}

/** A letter or digit outside ASCII. */
const LOSES = /(?![\x20-\x7e])[\p{L}\p{N}]/u;

const isAscii = (name: string): boolean => /^[\x20-\x7e]*$/.test(name);

const dropAccents = (name: string): string => name.normalize("NFKD").replace(/\p{M}+/gu, "");

/** Replaces each run of other characters by one underscore, so that the extension is kept. */
const toAsciiName = (name: string): string => name.replace(/[^\x20-\x7e]+/g, "_").replace(/[/\\]/g, "_");

/** Sends a table as CSV while it is being read. */
export const sendCsv = (req: IncomingMessage, res: ServerResponse, document: CsvDocument): Promise<void> =>
  sendAttachment(req, res, {
    fileName: document.fileName,
    mediaType: "text/csv; charset=utf-8; header=present",
    pieces: writeCsv(document),
  });

/** Characters per write: a few milliseconds of work. */
const PIECE_CHARACTERS = 250_000;

/** The estimated cost of a cell in characters, regardless of its content. */
const CELL_CHARACTERS = 50;

const BOM = "\u{FEFF}";

/** The header with the first page, then page by page, yielding to the event loop in between. */
export async function* writeCsv({
  columns,
  pages,
  bom,
  raw,
  delimiter,
}: CsvDocument): AsyncGenerator<Buffer, void> {
  const { formatCsv } = await import("../../lib/csv.ts");
  const format = (rows: readonly (readonly CsvCell[])[]) => formatCsv(rows, { raw, delimiter });
  let before = (bom ? BOM : "") + format([columns]);
  const yieldToEventLoop = createYielder();
  for await (const page of pages) {
    for (const records of formatRecords(page, format)) {
      if (before !== "") yield Buffer.concat([Buffer.from(before), records]);
      else if (records.length > 0) yield records;
      before = "";
      await yieldToEventLoop();
    }
  }
  if (before !== "") yield Buffer.from(before);
}

function* formatRecords(page: CsvPage | Buffer, format: (rows: CsvPage) => string): Generator<Buffer, void> {
  if (Buffer.isBuffer(page)) yield page;
  else for (const piece of splitIntoPieces(page)) yield Buffer.from(format(piece));
}

/** A page without rows is a piece too, so that the header doesn't wait for the first page with rows. */
function* splitIntoPieces(page: CsvPage): Generator<CsvPage, void> {
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

/** Sends a long JSON document page by page, while it is being read. */
export const sendJsonDocument = (
  req: IncomingMessage,
  res: ServerResponse,
  document: JsonDocument<unknown>,
): Promise<void> =>
  sendAttachment(req, res, {
    fileName: document.fileName,
    mediaType: "application/json; charset=utf-8",
    pieces: writeJsonPieces(document),
  });

async function* writeJsonPieces({ head, lists }: JsonDocument<unknown>): AsyncGenerator<Buffer, void> {
  const yieldToEventLoop = createYielder();
  yield Buffer.from(JSON.stringify(head).slice(0, -1));
  for (const [name, pages] of Object.entries(lists)) {
    let before = `,${JSON.stringify(name)}:[`;
    for await (const page of pages) {
      if (page.length === 0) continue;
      yield Buffer.from(before + JSON.stringify(page).slice(1, -1));
      before = ",";
      await yieldToEventLoop();
    }
    yield Buffer.from(before === "," ? "]" : `${before}]`);
  }
  yield Buffer.from("}");
}
