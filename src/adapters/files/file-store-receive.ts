/** Streams an upload into a temporary file and computes its hash. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { addAbortSignal, Readable } from "node:stream";
import { AppError, badRequest, payloadTooLarge } from "../../errors.ts";
import { codeOf } from "../../lib/node-errors.ts";
import { makeFolder, READ_BYTES } from "./file-store-disk.ts";
import { onDisk } from "./storage-errors.ts";

/** Received bytes that are synced to disk but not stored permanently yet. */
export interface ReceivedFile {
  /** The temporary file, for inspecting its content. */
  path: string;
  /** 64 lower-case hexadecimal digits. */
  sha256: string;
  sizeBytes: number;
  /** The bytes, until the file is kept or discarded. */
  read(): Readable;
  /** Deletes the temporary file. Does nothing if it was already kept or discarded; never fails. */
  discard(): Promise<void>;
}

export interface ReceiveOptions {
  /** A larger source is rejected. */
  maxBytes: number;
  /**
   * Whether data is synced to disk while it arrives, so that the final sync of a large file doesn't delay all other
   * writes.
   */
  steadily?: boolean;
  signal?: AbortSignal;
}

/** Contract: `FolderStore.receive`. Holds at most one chunk in memory. */
export async function receiveInto(
  path: string,
  source: AsyncIterable<Buffer> | Readable,
  options: ReceiveOptions,
): Promise<ReceivedFile> {
  const chunks = chunksOf(source, options.signal);
  // What can't be deleted now is deleted at the next start: it must not fail a write that has succeeded.
  const discard = () => rm(path, { force: true }).catch(() => {});
  const handle = await openTemporary(path);
  try {
    const written = await writeAll(handle, chunks, options);
    options.signal?.throwIfAborted();
    await onDisk(() => handle.sync());
    await onDisk(() => handle.close());
    return { path, ...written, read: () => createReadStream(path, { highWaterMark: READ_BYTES }), discard };
  } catch (error) {
    // The first error is the one to report.
    await handle.close().catch(() => {});
    await discard();
    throw uploadError(error, options.signal);
  }
}

/** `wx`: a repeated id must not mix two uploads. */
const openTemporary = (path: string): Promise<FileHandle> =>
  onDisk(async () => {
    await makeFolder(dirname(path));
    return open(path, "wx", 0o600);
  });

async function writeAll(handle: FileHandle, chunks: AsyncIterable<unknown>, options: ReceiveOptions) {
  const hash = createHash("sha256");
  const { maxBytes, steadily } = options;
  let sizeBytes = 0;
  let unsynced = 0;
  for await (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError("An upload must come as bytes");
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) {
      throw payloadTooLarge("file_too_large", `The file is larger than the allowed ${maxBytes} bytes.`);
    }
    // `writeFile` on a handle continues at the current position and retries partial writes.
    const writing = onDisk(() => handle.writeFile(chunk));
    hash.update(chunk);
    await writing;
    unsynced += chunk.byteLength;
    if (steadily && unsynced >= READ_BYTES) {
      await onDisk(() => handle.datasync());
      unsynced = 0;
    }
  }
  if (sizeBytes === 0) throw badRequest("file_empty", "The file is empty.");
  return { sha256: hash.digest("hex"), sizeBytes };
}

/** The chunks of the source. Leaving the loop early destroys only the iterator, not the caller's stream. */
function chunksOf(source: AsyncIterable<Buffer> | Readable, signal?: AbortSignal): AsyncIterable<unknown> {
  const given = source instanceof Readable;
  const stream = given ? source : Readable.from(source);
  // A stream can fail before and after it is read here; without a listener this would end the process.
  stream.on("error", () => {});
  if (signal !== undefined) addAbortSignal(signal, stream);
  return stream.iterator({ destroyOnReturn: !given });
}

function uploadError(error: unknown, signal?: AbortSignal): unknown {
  if (error instanceof AppError) return error;
  if (!signal?.aborted && !CUT_OFF.has(codeOf(error) ?? "")) return error;
  return badRequest("upload_aborted", "The upload ended before the file was complete.", { cause: error });
}

/** The error codes with which Node reports that the sender disconnected. */
const CUT_OFF = new Set(["ABORT_ERR", "ECONNRESET", "ERR_STREAM_PREMATURE_CLOSE"]);
