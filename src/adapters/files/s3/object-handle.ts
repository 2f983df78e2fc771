/** Reads objects of a bucket like open files. */
import { Readable } from "node:stream";
import { AppError } from "../../../errors.ts";
import { systemScheduler } from "../../system.ts";
import type { ByteHandle, DirectSource, ReadStreamOptions } from "../file-store.ts";
import type { Bucket, ObjectFacts } from "./bucket.ts";

/** How long the store may send nothing while bytes are awaited. */
const IDLE_MS = 20_000;

interface OpenObject extends Pick<ObjectFacts, "sizeBytes"> {
  /** Undefined if any version may be read. */
  etag: string | undefined;
  bucket: Bucket;
  path: string;
}

/**
 * Sends no request before the first read. The first read, and one at another position, requests its bytes or those of
 * its sequence; a read that continues the one before requests the rest, which then arrives as fast as it is read.
 */
export class ObjectHandle implements ByteHandle {
  readonly #object: OpenObject;
  readonly #streams = new Set<Transfer>();
  #transfer: Transfer | undefined;
  /** Bytes that have arrived but weren't read. */
  #rest: Buffer = Buffer.alloc(0);
  /** Where the last read ended. */
  #position = 0;

  constructor(object: OpenObject) {
    this.#object = object;
  }

  async read(buffer: Buffer, offset: number, length: number, position: number, last?: number) {
    const count = Math.min(length, this.#object.sizeBytes - position);
    if (count <= 0) return { bytesRead: 0 };
    if (position !== this.#position || this.#transfer === undefined) {
      this.#begin(position, last ?? position + count - 1);
    }
    let bytesRead = 0;
    while (bytesRead < count) {
      if (this.#rest.length === 0) this.#rest = await this.#receive(position + bytesRead);
      const copied = this.#rest.copy(buffer, offset + bytesRead, 0, count - bytesRead);
      this.#rest = this.#rest.subarray(copied);
      bytesRead += copied;
    }
    this.#position = position + bytesRead;
    return { bytesRead };
  }

  createReadStream({ start = 0, end, highWaterMark }: ReadStreamOptions = {}): Readable {
    const last = Math.min(end ?? Number.POSITIVE_INFINITY, this.#object.sizeBytes - 1);
    const transfer = new Transfer(this.#object, start, last);
    this.#streams.add(transfer);
    const options = { objectMode: false, ...(highWaterMark !== undefined && { highWaterMark }) };
    return Readable.from(transfer.readChunks(), options);
  }

  async readFile(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.createReadStream()) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /** Ends all transfers. */
  async close(): Promise<void> {
    this.#transfer?.end();
    for (const transfer of this.#streams) transfer.end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get source(): DirectSource {
    const { bucket, path, etag } = this.#object;
    return { etag, createAddress: (access) => bucket.signAddress(path, access) };
  }

  #begin(position: number, last: number): void {
    this.#transfer?.end();
    this.#rest = Buffer.alloc(0);
    this.#transfer = new Transfer(this.#object, position, last);
  }

  /** The next bytes, of a transfer of the rest if this one is over. */
  async #receive(position: number): Promise<Buffer> {
    const chunk = await this.#transfer?.next();
    if (chunk !== undefined) return chunk;
    this.#transfer = new Transfer(this.#object, position, this.#object.sizeBytes - 1);
    return (await this.#transfer.next()) ?? Buffer.alloc(0);
  }
}

/** The body of a response. */
interface Body {
  stream: Readable;
  pieces: AsyncIterator<unknown>;
}

/** A part of an object, received in order and only as fast as it is read. */
class Transfer {
  readonly #object: OpenObject;
  readonly #end: number;
  readonly #stop = new AbortController();
  #position: number;
  #body: Body | undefined;

  constructor(object: OpenObject, start: number, end: number) {
    this.#object = object;
    this.#position = start;
    this.#end = end;
  }

  /**
   * The next bytes; undefined after the last one. A broken transfer continues with a second request, and fails if that
   * fails, too.
   */
  async next(): Promise<Buffer | undefined> {
    if (this.#position > this.#end) return undefined;
    try {
      return await this.#receive();
    } catch (error) {
      this.#body?.stream.destroy();
      this.#body = undefined;
      // The store has refused the request, repeatedly, or the transfer isn't needed any more.
      if (error instanceof AppError || this.#stop.signal.aborted) throw error;
      return await this.#receive();
    }
  }

  async *readChunks(): AsyncGenerator<Buffer, void> {
    try {
      for (let chunk = await this.next(); chunk !== undefined; chunk = await this.next()) yield chunk;
    } finally {
      this.end();
    }
  }

  /** An incomplete transfer is broken off. */
  end(): void {
    if (this.#position > this.#end) return;
    this.#stop.abort();
    this.#body?.stream.destroy();
  }

  async #receive(): Promise<Buffer> {
    this.#body ??= await this.#request();
    const { stream, pieces } = this.#body;
    const cancel = systemScheduler(IDLE_MS, () => stream.destroy(new Error("The store sends nothing more.")));
    const { value } = await pieces.next().finally(cancel);
    if (!(value instanceof Buffer)) throw new Error("The store sent too little.");
    this.#position += value.length;
    if (this.#position > this.#end + 1) throw new Error("The store sent too much.");
    // Takes the end of the response, so that its connection can be used again.
    if (this.#position > this.#end) pieces.next().catch(() => {});
    return value;
  }

  async #request(): Promise<Body> {
    const { bucket, path, etag } = this.#object;
    const range = { start: this.#position, end: this.#end, etag };
    const stream = await bucket.get(path, range, this.#stop.signal);
    // An error between two reads is reported by the next one.
    stream.on("error", () => {});
    return { stream, pieces: stream[Symbol.asyncIterator]() };
  }
}
