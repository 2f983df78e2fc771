/** Sends a table as CSV while it is being read. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { CsvDocument } from "../services/csv-document.ts";
import { csvBytes } from "./csv-bytes.ts";
import { sendAttachment } from "./send-attachment.ts";

export const sendCsv = (req: IncomingMessage, res: ServerResponse, document: CsvDocument): Promise<void> =>
  sendAttachment(req, res, {
    fileName: document.fileName,
    mediaType: "text/csv; charset=utf-8; header=present",
    pieces: csvBytes(document),
  });
