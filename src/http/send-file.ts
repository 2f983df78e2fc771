/** The one way in which a stored file becomes an answer: conditions, ranges, headers, bytes. */

import type { FileHandle } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type AppError, preconditionFailed, rangeNotSatisfiable, unavailable } from "../errors.ts";
import { answerFor } from "./conditional.ts";
import { attachment } from "./send-file-headers.ts";
import { type ByteRange, type Sent, transfer } from "./send-file-transfer.ts";

export interface FileToSend {
  /** Open for reading; it belongs to `sendFile` from the call on and is closed in every case. */
  handle: FileHandle;
  sizeBytes: number;
  /** Strong, in its quotes. */
  etag: string;
  /** Milliseconds since 1970; undefined where it isn't known. */
  modifiedAt: number | undefined;
  contentType: string;
  /** The name under which the client saves it; any string gives a valid header. Without one it is shown. */
  fileName?: string;
  /** Parts of it aren't sent: a Range is ignored. */
  isSentWhole?: boolean;
  /** Called, and waited for, when a GET is about to get the bytes from the first one on. */
  beforeDelivery?: () => Promise<void>;
}

/**
 * Answers a GET or HEAD with the file: 200, 206 or 304. Caching and security headers are the caller's, set before.
 *
 * Resolves when the last byte has been handed to the system, or with `completed: false` when the client left.
 * Throws 412, 416 and, when not even the first bytes can be read, 503 as `AppError`: nothing has been sent then.
 * When reading fails later, the connection is cut and the error is thrown: half a file never looks whole.
 */
export async function sendFile(req: IncomingMessage, res: ServerResponse, file: FileToSend): Promise<Sent> {
  try {
    return await answer(req, res, file);
  } finally {
    await file.handle.close();
  }
}

async function answer(req: IncomingMessage, res: ServerResponse, file: FileToSend): Promise<Sent> {
  const method = req.method ?? "GET";
  const headers = file.isSentWhole ? { ...req.headers, range: undefined } : req.headers;
  const { etag, modifiedAt: lastModified, sizeBytes } = file;
  const due = answerFor({ method, headers, etag, lastModified, sizeBytes });
  switch (due.kind) {
    case "precondition-failed":
      throw notTheVersion();
    case "unsatisfiable":
      throw rangeNotSatisfiable("range_not_satisfiable", `The file has ${sizeBytes} bytes.`, {
        headers: { "Content-Range": `bytes */${sizeBytes}`, "Accept-Ranges": "bytes" },
      });
    case "not-modified":
      return endWithoutBody(res, () => setValidators(res, 304, file));
    case "partial":
      if (due.start === 0) await file.beforeDelivery?.();
      return await sendBody(res, file, due, () => setPartialHeaders(res, file, due));
    case "full": {
      const begin = () => setFullHeaders(res, file);
      if (method === "GET") await file.beforeDelivery?.();
      if (method === "HEAD" || sizeBytes === 0) return endWithoutBody(res, begin);
      return await sendBody(res, file, { start: 0, end: sizeBytes - 1 }, begin);
    }
  }
}

export const notTheVersion = (): AppError =>
  preconditionFailed("precondition_failed", "The file is not the version that was asked for.");

function endWithoutBody(res: ServerResponse, begin: () => void): Sent {
  begin();
  res.end();
  return { bytesSent: 0, completed: true };
}

async function sendBody(
  res: ServerResponse,
  file: FileToSend,
  range: ByteRange,
  begin: () => void,
): Promise<Sent> {
  try {
    return await transfer(file.handle, res, range, begin);
  } catch (cause) {
    if (!res.headersSent) throw unavailable("file_unreadable", "The file can't be read just now.", { cause });
    res.destroy();
    throw cause;
  }
}

function setPartialHeaders(res: ServerResponse, file: FileToSend, { start, end }: ByteRange): void {
  setRepresentation(res, 206, file);
  res.setHeader("Content-Length", end - start + 1);
  res.setHeader("Content-Range", `bytes ${start}-${end}/${file.sizeBytes}`);
}

function setFullHeaders(res: ServerResponse, file: FileToSend): void {
  setRepresentation(res, 200, file);
  res.setHeader("Content-Length", file.sizeBytes);
}

function setRepresentation(res: ServerResponse, status: number, file: FileToSend): void {
  setValidators(res, status, file);
  setFileDescription(res, file);
  if (file.isSentWhole) res.removeHeader("Accept-Ranges");
}

/** What is known of a file before its bytes are there. */
export function setFileDescription(
  res: ServerResponse,
  { contentType, fileName }: Pick<FileToSend, "contentType" | "fileName">,
): void {
  res.setHeader("Accept-Ranges", "bytes");
  res.setHeader("Content-Type", contentType);
  if (fileName !== undefined) res.setHeader("Content-Disposition", attachment(fileName));
}

/** All that a 304 carries about the file (RFC 9110, 15.4.5). */
function setValidators(res: ServerResponse, status: number, { etag, modifiedAt }: FileToSend): void {
  res.statusCode = status;
  res.setHeader("ETag", etag);
  if (modifiedAt !== undefined) res.setHeader("Last-Modified", new Date(modifiedAt).toUTCString());
}
