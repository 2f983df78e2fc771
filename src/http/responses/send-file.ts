/** Sends stored files: conditions, ranges, headers and bytes. */
import { createHash, type Hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ByteHandle } from "../../adapters/files/file-store.ts";
import { AppError, preconditionFailed, rangeNotSatisfiable, unavailable } from "../../errors.ts";
import { chooseResponse } from "../requests/conditional.ts";
import { formatAttachment, write } from "./attachment.ts";

export interface FileToSend {
  /** Open for reading; `sendFile` takes ownership and always closes it. */
  handle: ByteHandle;
  sizeBytes: number;
  /** In lower-case hexadecimal digits: the whole file ends only with these bytes. Undefined: they aren't compared. */
  sha256?: string | undefined;
  /** Strong entity tag in quotes. */
  etag: string;
  /** Epoch milliseconds; undefined if unknown. */
  modifiedAt: number | undefined;
  contentType: string;
  /** The file name for saving; any string results in a valid header. Without it, the file is displayed. */
  fileName?: string;
  /** Of the same file, for clients that don't read other names. */
  asciiName?: string;
  /** Range requests aren't supported. */
  isSentWhole?: boolean;
  /** Ranges are sent only to a client that names this entity tag with If-Range. */
  hasChanged?: boolean;
  /** Called and awaited before a GET response that starts at the first byte. */
  beforeDelivery?: () => Promise<void>;
}

/**
 * Responds to a GET or HEAD with the file: 200, 206 or 304. The caller sets caching and security headers before.
 * Resolves when the last byte was passed to the operating system, or with `completed: false` if the client
 * disconnected. Throws 412, 416 and, if the first bytes are gone or can't be read, 404 or 503 as `AppError`: nothing has been sent then.
 * If reading fails later, the connection is closed and the error is thrown, so that half a file never looks complete.
 */
export async function sendFile(req: IncomingMessage, res: ServerResponse, file: FileToSend): Promise<Sent> {
  await using _handle = file.handle;
  const method = req.method ?? "GET";
  const takesRange = !file.isSentWhole && (!file.hasChanged || req.headers["if-range"] === file.etag);
  const headers = takesRange ? req.headers : { ...req.headers, range: undefined };
  const { etag, modifiedAt: lastModified, sizeBytes } = file;
  const due = chooseResponse({ method, headers, etag, lastModified, sizeBytes });
  switch (due.kind) {
    case "precondition-failed":
      throw notTheVersion();
    case "unsatisfiable":
      throw rangeNotSatisfiable("range_not_satisfiable", `The file has ${sizeBytes} bytes.`, {
        headers: { "Content-Range": `bytes */${sizeBytes}`, "Accept-Ranges": "bytes" },
      });
    case "not-modified":
      return await endWithoutBody(res, async () => setValidators(res, 304, file));
    case "partial":
      return await sendBody(res, file, due, async () => {
        if (due.start === 0) await file.beforeDelivery?.();
        setHeaders(res, file, due);
      });
    case "full": {
      const begin = async () => {
        if (method === "GET") await file.beforeDelivery?.();
        setHeaders(res, file);
      };
      if (method === "HEAD" || sizeBytes === 0) return await endWithoutBody(res, begin);
      return await sendBody(res, file, { start: 0, end: sizeBytes - 1 }, begin);
    }
  }
}

export const notTheVersion = (): AppError =>
  preconditionFailed(
    "precondition_failed",
    "The current version of the file doesn't match the condition in the request.",
  );

async function endWithoutBody(res: ServerResponse, begin: () => Promise<void>): Promise<Sent> {
  await begin();
  res.end();
  return { bytesSent: 0, completed: true };
}

async function sendBody(
  res: ServerResponse,
  file: FileToSend,
  range: ByteRange,
  begin: () => Promise<void>,
): Promise<Sent> {
  // A store that sends nothing is waited for as long as the client stays.
  const leave = () => void file.handle.close().catch(() => {});
  res.once("close", leave);
  try {
    return await transfer(file, res, range, begin);
  } catch (cause) {
    if (res.closed) return { bytesSent: 0, completed: false };
    // Of a store: another instance has deleted the file since it was opened, or the store doesn't respond.
    if (cause instanceof AppError && !res.headersSent) throw cause;
    if (!res.headersSent)
      throw unavailable("file_unreadable", "The file can't be read at the moment.", { cause });
    res.destroy();
    throw cause;
  }
}

/** The headers of the whole file, or of a range. */
function setHeaders(res: ServerResponse, file: FileToSend, range?: ByteRange): void {
  const { start, end } = range ?? { start: 0, end: file.sizeBytes - 1 };
  setValidators(res, range ? 206 : 200, file);
  setFileDescription(res, file);
  if (file.isSentWhole) res.removeHeader("Accept-Ranges");
  res.setHeader("Content-Length", end - start + 1);
  if (range) res.setHeader("Content-Range", `bytes ${start}-${end}/${file.sizeBytes}`);
}

/** The headers of a file that are known before its bytes. */
export function setFileDescription(
  res: ServerResponse,
  { contentType, fileName, asciiName }: Pick<FileToSend, "contentType" | "fileName" | "asciiName">,
): void {
  res.setHeader("Accept-Ranges", "bytes");
  res.setHeader("Content-Type", contentType);
  if (fileName !== undefined) res.setHeader("Content-Disposition", formatAttachment(fileName, asciiName));
}

/** The headers of a 304 (RFC 9110, 15.4.5). */
function setValidators(res: ServerResponse, status: number, { etag, modifiedAt }: FileToSend): void {
  res.statusCode = status;
  res.setHeader("ETag", etag);
  if (modifiedAt !== undefined) res.setHeader("Last-Modified", new Date(modifiedAt).toUTCString());
}

/**
 * The outcome of a response: the number of body bytes passed to the operating system, and whether they are complete.
 */
interface Sent {
  bytesSent: number;
  completed: boolean;
}

/** Byte positions, both inclusive. */
interface ByteRange {
  start: number;
  end: number;
}

/** A buffer that contains `length` bytes of the file. */
interface Chunk {
  buffer: Buffer;
  length: number;
}

/**
 * Sends exactly the bytes of `range` and ends the response; reads one buffer while the previous one is written. `begin`
 * is called with the first bytes, to set status and headers. Resolves early if the client disconnects. Rejects if the
 * file can't be read or is too short; the response is then left open, and must not be ended as if it were complete.
 */
async function transfer(
  { handle, ...file }: FileToSend,
  res: ServerResponse,
  range: ByteRange,
  begin: () => Promise<void>,
): Promise<Sent> {
  const comparison = compareWhole(file, range);
  let position = range.start;
  let chunk = await readChunk(handle, position, range.end, comparison);
  await begin().catch((error: unknown) => {
    giveBackSendBuffer(chunk.buffer);
    throw error;
  });
  for (;;) {
    position += chunk.length;
    if (position > range.end) return await sendLast(res, chunk, position - range.start);
    const reading = readChunk(handle, position, range.end, comparison);
    // An error of a read-ahead is reported when its bytes are due.
    reading.catch(() => {});
    const flushed = await flush(res, chunk);
    if (!flushed) return await giveUp(reading, position - range.start - chunk.length);
    chunk = await reading;
  }
}

async function sendLast(res: ServerResponse, chunk: Chunk, total: number): Promise<Sent> {
  const flushing = flush(res, chunk);
  // In the same event-loop turn as the write, so that a small file is sent in one packet with its headers.
  res.end();
  const completed = await flushing;
  return { bytesSent: completed ? total : total - chunk.length, completed };
}

/** The client has disconnected: the pending buffer is free when its read has ended, successfully or not. */
async function giveUp(reading: Promise<Chunk>, bytesSent: number): Promise<Sent> {
  await reading.then(
    (chunk) => giveBackSendBuffer(chunk.buffer),
    () => {},
  );
  return { bytesSent, completed: false };
}

/** Hashes the bytes of a whole file; undefined if they aren't compared. */
interface Comparison {
  sha256: string;
  hash: Hash;
}

function compareWhole(
  { sha256, sizeBytes }: Pick<FileToSend, "sha256" | "sizeBytes">,
  { start, end }: ByteRange,
): Comparison | undefined {
  if (sha256 === undefined || start > 0 || end < sizeBytes - 1) return undefined;
  return { sha256, hash: createHash("sha256") };
}

/** Of wrong bytes, the last ones fail: no client takes the file for complete. */
async function readChunk(
  handle: ByteHandle,
  from: number,
  end: number,
  comparison: Comparison | undefined,
): Promise<Chunk> {
  const buffer = takeSendBuffer();
  try {
    const length = Math.min(buffer.length, end - from + 1);
    const { bytesRead } = await handle.read(buffer, 0, length, from, end);
    if (bytesRead === 0) throw new Error(`The file ends at byte ${from}, before byte ${end} of the range.`);
    comparison?.hash.update(buffer.subarray(0, bytesRead));
    if (comparison && from + bytesRead > end && comparison.hash.digest("hex") !== comparison.sha256)
      throw new Error(`The stored file has other bytes than those of its name, ${comparison.sha256}.`);
    return { buffer, length: bytesRead };
  } catch (error) {
    giveBackSendBuffer(buffer);
    throw error;
  }
}

/**
 * True if the operating system accepted the bytes, false if the client disconnected first: Node may still use the buffer
 * then.
 */
async function flush(res: ServerResponse, { buffer, length }: Chunk): Promise<boolean> {
  const isTaken = await write(res, buffer.subarray(0, length));
  if (isTaken) giveBackSendBuffer(buffer);
  else giveUpSendBuffer(buffer);
  return isTaken;
}

// The buffers for sending files: large ones, which are reused as long as few are in use.

/**
 * Size of a buffer. Measured: six times the 64 KiB of a file stream needs a third of the time per byte, and larger ones
 * gain nothing. A transfer uses at most two, so a stalled client costs 768 KiB.
 */
export const SEND_BUFFER_BYTES = 384 * 1024;

/** Maximum number of these in use (96 MiB), so that thousands of slow readers can't fill the memory. */
const MAX_LENT_BUFFERS = 256;

/** Size of buffers beyond this limit, which aren't reused. */
const SMALL_BUFFER_BYTES = 32 * 1024;

/** Maximum number of idle buffers (24 MiB); those of a burst beyond that are freed. */
const MAX_IDLE_BUFFERS = 64;

const idle: Buffer[] = [];
const lent = new Set<Buffer>();

/** Prefers the buffer that was returned last, because it is still in the CPU cache. */
export function takeSendBuffer(): Buffer {
  if (lent.size >= MAX_LENT_BUFFERS) return Buffer.allocUnsafeSlow(SMALL_BUFFER_BYTES);
  const buffer = idle.pop() ?? Buffer.allocUnsafeSlow(SEND_BUFFER_BYTES);
  lent.add(buffer);
  return buffer;
}

/** Call it once per buffer, when neither a read nor a socket uses it any more. */
export function giveBackSendBuffer(buffer: Buffer): void {
  lent.delete(buffer);
  if (buffer.length === SEND_BUFFER_BYTES && idle.length < MAX_IDLE_BUFFERS) idle.push(buffer);
}

/** For a buffer that a socket may still use: it is garbage-collected instead of reused. */
export function giveUpSendBuffer(buffer: Buffer): void {
  lent.delete(buffer);
}
