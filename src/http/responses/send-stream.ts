/** Sends a document piece by piece while it is being made, to be saved under its name. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { create } from "content-disposition";

export interface Attachment {
  /** With its ending. */
  fileName: string;
  mediaType: string;
  /** Made when the client has taken the former ones. */
  pieces: AsyncIterable<Buffer>;
}

/**
 * Resolves when the last byte has been written, or when the client has left. Rejects when a piece can't be made: before
 * the first one nothing has been sent; later the response is left open, and must not be ended as if it were whole.
 */
export async function sendAttachment(
  req: IncomingMessage,
  res: ServerResponse,
  document: Attachment,
): Promise<void> {
  if (req.method === "HEAD") return void begin(res, document).end();
  for await (const bytes of document.pieces) {
    if (!res.headersSent) begin(res, document);
    const isTaken = await write(res, bytes);
    // Leaving the loop ends the generator of the pieces.
    if (!isTaken) return;
  }
  res.end();
}

function begin(res: ServerResponse, { fileName, mediaType }: Attachment): ServerResponse {
  res.setHeader("Content-Type", mediaType);
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

/**
 * The Content-Disposition of a download: `attachment` with the name as it is (`filename*`, RFC 8187) and, for clients that don't know that form, a plain
 * ASCII name (`filename`, RFC 6266).
 */
export function attachment(fileName: string): string {
  // A lone surrogate can't be percent-encoded, and a slash would be taken for a folder.
  const name = fileName.toWellFormed().replace(/[/\\]/g, "_");
  return isAscii(name) ? create(name) : create(name, { fallback: asciiName(name) });
}

const isAscii = (name: string): boolean => /^[\x20-\x7e]*$/.test(name);

/** Accents are dropped; each run of other characters becomes one underscore, so that the ending stays. */
function asciiName(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^\x20-\x7e]+/g, "_")
    .replace(/[/\\]/g, "_");
}
