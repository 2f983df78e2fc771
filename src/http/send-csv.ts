/** Sends a table as CSV while it is being read. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { CsvDocument } from "../services/csv-document.ts";
import { csvBytes } from "./csv-bytes.ts";
import { attachment } from "./send-file-headers.ts";

/**
 * Resolves when the last byte has been written, or when the client has left. Rejects when a page can't be read: before
 * the first one nothing has been sent; later the answer is left open, and must not be ended as if it were whole.
 */
export async function sendCsv(
  req: IncomingMessage,
  res: ServerResponse,
  document: CsvDocument,
): Promise<void> {
  if (req.method === "HEAD") return void begin(res, document).end();
  for await (const bytes of csvBytes(document)) {
    if (!res.headersSent) begin(res, document);
    const isTaken = await write(res, bytes);
    // Leaving the loop tells the pages that no more are wanted.
    if (!isTaken) return;
  }
  res.end();
}

function begin(res: ServerResponse, { fileName }: CsvDocument): ServerResponse {
  res.setHeader("Content-Type", "text/csv; charset=utf-8; header=present");
  res.setHeader("Content-Disposition", attachment(fileName));
  return res;
}

/** True when there is room for more, false when the client has left. */
function write(res: ServerResponse, bytes: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    const clientLeft = () => resolve(false);
    res.once("close", clientLeft);
    res.write(bytes, (error) => {
      res.off("close", clientLeft);
      resolve(error === null || error === undefined);
    });
  });
}
