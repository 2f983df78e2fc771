/** Sends a document piece by piece while it is being made, to be saved under its name. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { attachment } from "./send-file-headers.ts";

export interface Attachment {
  /** With its ending. */
  fileName: string;
  mediaType: string;
  /** Made when the client has taken the former ones. */
  pieces: AsyncIterable<Buffer>;
}

/**
 * Resolves when the last byte has been written, or when the client has left. Rejects when a piece can't be made: before
 * the first one nothing has been sent; later the answer is left open, and must not be ended as if it were whole.
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
    // Leaving the loop tells the pieces that no more are wanted.
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
