/** Checks, counts and hashes the bytes of an upload while they arrive. */
import { createHash } from "node:crypto";
import { addAbortSignal, Readable } from "node:stream";
import { AppError, badRequest, payloadTooLarge } from "../../errors.ts";
import { codeOf } from "../../lib/node-errors.ts";
import type { ReceiveOptions, StoredBlob } from "./file-store.ts";

/** Contract: `FileStore.receive`. */
export class Intake {
  readonly #options: ReceiveOptions;
  readonly #chunks: AsyncIterable<unknown>;
  readonly #hash = createHash("sha256");
  #sizeBytes = 0;

  constructor(source: AsyncIterable<Buffer> | Readable, options: ReceiveOptions) {
    this.#options = options;
    this.#chunks = iterateChunks(source, options.signal);
  }

  /**
   * The bytes in order, each to be passed to `hash`. Throws 413 `file_too_large` and 400 `file_empty` in the place of
   * the byte that is too much or missing.
   */
  async *readChunks(): AsyncGenerator<Uint8Array, void> {
    const { maxBytes, signal } = this.#options;
    for await (const chunk of this.#chunks) {
      if (!(chunk instanceof Uint8Array)) throw new TypeError("An upload must come as bytes");
      this.#sizeBytes += chunk.byteLength;
      if (this.#sizeBytes > maxBytes) {
        throw payloadTooLarge("file_too_large", `The file is larger than the allowed ${maxBytes} bytes.`);
      }
      yield chunk;
    }
    signal?.throwIfAborted();
    if (this.#sizeBytes === 0) throw badRequest("file_empty", "The file is empty.");
  }

  /** Apart from `chunks`, so that a chunk can be hashed while it is written. */
  hash(chunk: Uint8Array): void {
    this.#hash.update(chunk);
  }

  /** Call it once, after the last chunk. */
  finish(): StoredBlob {
    return { sha256: this.#hash.digest("hex"), sizeBytes: this.#sizeBytes };
  }

  /** 400 `upload_aborted` if the sender disconnected; other errors are unchanged. */
  convertError(error: unknown): unknown {
    if (error instanceof AppError) return error;
    if (!this.#options.signal?.aborted && !CUT_OFF.has(codeOf(error) ?? "")) return error;
    return badRequest("upload_aborted", "The upload ended before the file was complete.", { cause: error });
  }
}

/** The chunks of the source. Leaving the loop early destroys only the iterator, not the caller's stream. */
function iterateChunks(
  source: AsyncIterable<Buffer> | Readable,
  signal?: AbortSignal,
): AsyncIterable<unknown> {
  const given = source instanceof Readable;
  const stream = given ? source : Readable.from(source);
  // A stream can fail before and after it is read here; without a listener this would end the process.
  stream.on("error", () => {});
  if (signal !== undefined) addAbortSignal(signal, stream);
  return stream.iterator({ destroyOnReturn: !given });
}

/** The error codes with which Node reports that the sender disconnected. */
const CUT_OFF = new Set(["ABORT_ERR", "ECONNRESET", "ERR_STREAM_PREMATURE_CLOSE"]);
