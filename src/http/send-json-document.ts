/** Sends a long JSON document while it is being read. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { batchesOf } from "../lib/batches.ts";
import { turns } from "../lib/turns.ts";
import type { JsonDocument } from "../services/json-document.ts";
import { sendAttachment } from "./send-attachment.ts";

/** Elements of the list that are written at one go: a few milliseconds' work. */
const PIECE = 500;

export const sendJsonDocument = (
  req: IncomingMessage,
  res: ServerResponse,
  document: JsonDocument<unknown>,
): Promise<void> =>
  sendAttachment(req, res, {
    fileName: document.fileName,
    mediaType: "application/json; charset=utf-8",
    pieces: jsonPieces(document),
  });

async function* jsonPieces({ head, lists }: JsonDocument<unknown>): AsyncGenerator<Buffer, void> {
  const nextTurn = turns();
  yield Buffer.from(JSON.stringify(head).slice(0, -1));
  for (const [name, pages] of Object.entries(lists)) {
    let before = `,${JSON.stringify(name)}:[`;
    for await (const page of pages) {
      for (const piece of batchesOf(page, PIECE)) {
        yield Buffer.from(before + JSON.stringify(piece).slice(1, -1));
        before = ",";
        await nextTurn();
      }
    }
    yield Buffer.from(before === "," ? "]" : `${before}]`);
  }
  yield Buffer.from("}");
}
