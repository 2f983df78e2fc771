/** Compresses responses: large ones on the threads of libuv, beside the event loop. */
import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from "node:zlib";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";

/** Content codings, the smaller result first. */
export const CODINGS = ["br", "gzip"] as const;
export type Coding = (typeof CODINGS)[number];

const brotliBytes = promisify(brotliCompress);
const gzipBytes = promisify(gzip);

/** Of 11, which would take 1.1 s for the OpenAPI document in place of 10 ms, and save another 12 % of its bytes. */
const BROTLI_QUALITY = 6;
const LARGE_QUALITY = 8;
/** In bytes. Tables of the higher quality take 16 MB, and for less than this more time than the bytes. */
const LARGE = 512 * 1024;
/** From this size on, brotli ignores repetitions of four bytes, which between identifiers cost more than they save. */
const LARGE_SIZE_HINT = 2 ** 20;

const compress = (bytes: Buffer, coding: Coding): Promise<Buffer> =>
  coding === "br" ? brotliBytes(bytes, { params: brotliParams(bytes.length) }) : gzipBytes(bytes);

const brotliParams = (size: number) =>
  size < LARGE
    ? { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
    : {
        [constants.BROTLI_PARAM_QUALITY]: LARGE_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: Math.max(size, LARGE_SIZE_HINT),
      };

/** libuv has four threads, which also read and write files. */
const MAX_AT_ONCE = 2;
const limitOnce = pLimit(MAX_AT_ONCE);

/** Up to this size, a thread takes more time to begin than for the bytes. */
const SMALL = 32 * 1024;
/** Of 14 kB it makes a tenth in 0.05 ms. By 6 it is a third smaller, but each has tables of a megabyte, which are soon garbage. */
const FAST_BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 16 };
const FAST_CHUNK = 4096;

/** For a response that is sent once. */
export function compressOnce(text: string, coding: Coding): Buffer | Promise<Buffer> {
  const bytes = Buffer.from(text);
  return bytes.length <= SMALL ? compressSmall(bytes, coding) : limitOnce(() => compress(bytes, coding));
}

const compressSmall = (bytes: Buffer, coding: Coding): Buffer =>
  coding === "br"
    ? brotliCompressSync(bytes, { params: FAST_BROTLI, chunkSize: FAST_CHUNK })
    : gzipSync(bytes, { chunkSize: FAST_CHUNK });

const MAX_BYTES = 24 * 1024 * 1024;
/** Upper bound of an entry's size besides its bytes: its key and place in the map. */
const ENTRY_BYTES = 512;
/** Of responses that are to be compressed: others are requested again later. */
const MAX_WAITING = 100;

/** Bytes that were compressed; `requested` once, or twice and `pending`. */
type Result = Buffer | "requested" | "pending";

/** Bytes that were sent before, compressed for later requests: the most recently used ones. */
export class CompressedBytes {
  readonly #results = new LRUCache<string, Result>({
    maxSize: MAX_BYTES,
    sizeCalculation: (result) => ENTRY_BYTES + (typeof result === "string" ? 0 : result.length),
  });
  readonly #limit = pLimit(1);

  /**
   * Returns undefined until the bytes are compressed, which the second request for them begins: most bytes are requested
   * once.
   * @param etag equal for equal bytes only
   */
  find(bytes: Buffer, etag: string, coding: Coding): Buffer | undefined {
    const key = `${coding} ${etag}`;
    const result = this.#results.get(key);
    if (result === undefined) this.#results.set(key, "requested");
    else if (typeof result !== "string") return result;
    else if (result === "requested" && this.#limit.pendingCount < MAX_WAITING) {
      this.#results.set(key, "pending");
      void this.#limit(() => this.#compress(bytes, key, coding));
    }
    return undefined;
  }

  /** Never rejects: after a failure, the bytes can be requested again. */
  async #compress(bytes: Buffer, key: string, coding: Coding): Promise<void> {
    try {
      this.#results.set(key, await compress(bytes, coding));
    } catch {
      this.#results.delete(key);
    }
  }
}
