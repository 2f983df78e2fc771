/** The one way in which a stored file becomes a response: conditions, ranges, headers, bytes. */
import type { FileHandle } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type AppError, preconditionFailed, rangeNotSatisfiable, unavailable } from "../../errors.ts";
import { responseFor } from "../requests/conditional.ts";
import { attachment } from "./attachment.ts";

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
  /** A part goes only to who names its version by If-Range. */
  hasChanged?: boolean;
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
    return await response(req, res, file);
  } finally {
    await file.handle.close();
  }
}

async function response(req: IncomingMessage, res: ServerResponse, file: FileToSend): Promise<Sent> {
  const method = req.method ?? "GET";
  const takesRange = !file.isSentWhole && (!file.hasChanged || req.headers["if-range"] !== undefined);
  const headers = takesRange ? req.headers : { ...req.headers, range: undefined };
  const { etag, modifiedAt: lastModified, sizeBytes } = file;
  const due = responseFor({ method, headers, etag, lastModified, sizeBytes });
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
  preconditionFailed(
    "precondition_failed",
    "The current version of the file doesn't match the condition in the request.",
  );

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
    if (!res.headersSent)
      throw unavailable("file_unreadable", "The file can't be read at the moment.", { cause });
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

/** The outcome of a response: the bytes of body handed to the system, and whether that was all of it. */
interface Sent {
  bytesSent: number;
  completed: boolean;
}

/** Byte positions, both inclusive. */
interface ByteRange {
  start: number;
  end: number;
}

/** A buffer with `length` bytes of the file in it. */
interface Chunk {
  buffer: Buffer;
  length: number;
}

/**
 * Sends exactly the bytes of `range` and ends the response, reading one buffer while the former one is flushed. `begin` is called once the first bytes are there, to set
 * status and headers. Resolves early when the client leaves. Rejects when the file can't be read or ends before
 * the range does; the response is then left open, and must not be ended as if it were whole.
 */
async function transfer(
  handle: FileHandle,
  res: ServerResponse,
  range: ByteRange,
  begin: () => void,
): Promise<Sent> {
  let position = range.start;
  let chunk = await readChunk(handle, position, range.end);
  begin();
  for (;;) {
    position += chunk.length;
    if (position > range.end) return await sendLast(res, chunk, position - range.start);
    const reading = readChunk(handle, position, range.end);
    // A read that fails while the client still takes the former bytes is reported when its turn comes.
    reading.catch(() => {});
    const flushed = await flush(res, chunk);
    if (!flushed) return await giveUp(reading, position - range.start - chunk.length);
    chunk = await reading;
  }
}

async function sendLast(res: ServerResponse, chunk: Chunk, total: number): Promise<Sent> {
  const flushing = flush(res, chunk);
  // In the same turn as the write, so that a small file leaves in one packet with its headers.
  res.end();
  const completed = await flushing;
  return { bytesSent: completed ? total : total - chunk.length, completed };
}

/** The client has left: the buffer under way is free once the read has ended, well or not. */
async function giveUp(reading: Promise<Chunk>, bytesSent: number): Promise<Sent> {
  await reading.then(
    (chunk) => giveBackSendBuffer(chunk.buffer),
    () => {},
  );
  return { bytesSent, completed: false };
}

async function readChunk(handle: FileHandle, from: number, end: number): Promise<Chunk> {
  const buffer = takeSendBuffer();
  try {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, end - from + 1), from);
    if (bytesRead === 0) throw new Error(`The file ends at byte ${from}, before byte ${end} of the range.`);
    return { buffer, length: bytesRead };
  } catch (error) {
    giveBackSendBuffer(buffer);
    throw error;
  }
}

/**
 * True when the system has taken the bytes, false when the client left first. The buffer is given back by node's
 * own callback and by nothing else: when that never comes, node may still use the bytes.
 */
function flush(res: ServerResponse, { buffer, length }: Chunk): Promise<boolean> {
  return new Promise((resolve) => {
    const clientLeft = () => {
      giveUpSendBuffer(buffer);
      resolve(false);
    };
    res.once("close", clientLeft);
    res.write(buffer.subarray(0, length), (error) => {
      res.off("close", clientLeft);
      giveBackSendBuffer(buffer);
      resolve(error === null || error === undefined);
    });
  });
}

// The buffers through which files are sent: large ones, kept for reuse between transfers, as long as few are lent.

/**
 * Bytes of one buffer. Measured: six times the 64 KiB of a file stream costs a third of the time per byte,
 * and still more gains nothing. A transfer holds two at most, so a stalled client costs 768 KiB.
 */
export const SEND_BUFFER_BYTES = 384 * 1024;

/** How many of these may be lent at a time (96 MiB): thousands of readers who take little can't fill the memory. */
const MAX_LENT_BUFFERS = 256;

/** Of one that is lent beyond that, and made for the occasion. */
const SMALL_BUFFER_BYTES = 32 * 1024;

/** How many idle buffers are kept (24 MiB); what a burst needs beyond that goes back to the system. */
const MAX_IDLE_BUFFERS = 64;

const idle: Buffer[] = [];
const lent = new Set<Buffer>();

/** The last one given back comes first: it is the one still in the processor's cache. */
export function takeSendBuffer(): Buffer {
  if (lent.size >= MAX_LENT_BUFFERS) return Buffer.allocUnsafeSlow(SMALL_BUFFER_BYTES);
  const buffer = idle.pop() ?? Buffer.allocUnsafeSlow(SEND_BUFFER_BYTES);
  lent.add(buffer);
  return buffer;
}

/** Once for each, and only when neither a read nor a socket still uses it. */
export function giveBackSendBuffer(buffer: Buffer): void {
  lent.delete(buffer);
  if (buffer.length === SEND_BUFFER_BYTES && idle.length < MAX_IDLE_BUFFERS) idle.push(buffer);
}

/** For a buffer whose client has left: a socket may still use it. One that isn't given back after that is collected. */
export function giveUpSendBuffer(buffer: Buffer): void {
  lent.delete(buffer);
}
