/** Where the bytes of book files live: content-addressed, so that the same bytes are kept once. */
import { readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { notFound } from "../../errors.ts";
import { isMissing } from "../../lib/node-errors.ts";
import { makeFolder, namesIn, type OpenedBlob, openBlob, sizeOf, syncFolder } from "./file-store-disk.ts";
import { type ReceivedFile, type ReceiveOptions, receiveInto } from "./file-store-receive.ts";
import { onDisk, readFailureOf } from "./storage-errors.ts";

export type { OpenedBlob } from "./file-store-disk.ts";
export type { ReceivedFile, ReceiveOptions } from "./file-store-receive.ts";

/** Bytes that are kept for good, named by their SHA-256 (64 lower-case hexadecimal digits). */
export interface StoredBlob {
  sha256: string;
  sizeBytes: number;
}

/**
 * Storage faults surface as 507 `disk_full` or 503 `storage_unavailable`.
 *
 * A row may only name bytes that are there, and bytes that no row names are removed. So the two
 * decisions "keep the bytes, write the row" and "no row is left, remove the bytes" must not interleave
 * for the same bytes: both run inside `exclusively`.
 */
export interface FileStore {
  /**
   * Streams a source to a temporary file, which is on the disk (fsync) when this returns.
   * Throws 413 `file_too_large` while streaming, 400 `file_empty`, 400 `upload_aborted`, or the source's
   * own error; no temporary file remains then. A source that is refused is left readable, so that its
   * socket can still carry the answer; an aborted signal destroys it.
   */
  receive(source: AsyncIterable<Buffer> | Readable, options: ReceiveOptions): Promise<ReceivedFile>;
  /** Moves received bytes to their place, durably. Call it, and write the row, inside `exclusively`. */
  keep(received: ReceivedFile): Promise<StoredBlob>;
  /** Throws 404 `file_unavailable` when the bytes are not there. */
  open(sha256: string): Promise<OpenedBlob>;
  has(sha256: string): Promise<boolean>;
  /** Missing bytes are fine. Call it inside `exclusively`, after seeing that no row names them. */
  remove(sha256: string): Promise<void>;
  /**
   * Everything that is kept, in no particular order.
   * @param unreadable gets each path that the system doesn't let this user look at; without it, that is an error
   */
  list(unreadable?: (path: string, reason: string) => void): AsyncIterable<StoredBlob>;
  /** Removes what a crash left behind and says how many; to be called before the first `receive`. */
  sweepTemporary(): Promise<number>;
  /** Runs `work` while no other work on the same bytes runs. Must not be nested: it would wait for itself. */
  exclusively<T>(sha256: string, work: () => Promise<T>): Promise<T>;
}

export interface LocalFileStoreOptions {
  /** Absolute path. Bytes go to `<directory>/ab/<sha256>`, unfinished ones to `<directory>/tmp/<id>`. */
  directory: string;
  newId: () => string;
}

/** The store on a local disk. One process at a time may use a directory: the locks are in memory. */
export class LocalFileStore implements FileStore {
  readonly #deps: LocalFileStoreOptions;
  readonly #temporary: string;
  readonly #locks = new KeyedLock();

  constructor(deps: LocalFileStoreOptions) {
    this.#deps = deps;
    const { directory } = deps;
    this.#temporary = join(directory, "tmp");
  }

  async receive(source: AsyncIterable<Buffer> | Readable, options: ReceiveOptions): Promise<ReceivedFile> {
    return receiveInto(join(this.#temporary, this.#deps.newId()), source, options);
  }

  async keep(received: ReceivedFile): Promise<StoredBlob> {
    const { sha256, sizeBytes } = received;
    const place = this.#pathOf(sha256);
    await onDisk(async () => {
      await makeFolder(dirname(place));
      if ((await sizeOf(place)) === sizeBytes) await received.discard();
      else await rename(received.path, place);
      // Also when nothing was moved or made here: who did may not have reached the fsync (a crash, or
      // another upload that is still on its way to it).
      await Promise.all([syncFolder(dirname(place)), syncFolder(this.#deps.directory)]);
    });
    return { sha256, sizeBytes };
  }

  async open(sha256: string): Promise<OpenedBlob> {
    const place = this.#pathOf(sha256);
    try {
      return await onDisk(() => openBlob(place));
    } catch (error) {
      if (!isMissing(error)) throw error;
      throw notFound("file_unavailable", "The file is not available.", { cause: error });
    }
  }

  async has(sha256: string): Promise<boolean> {
    const place = this.#pathOf(sha256);
    return onDisk(async () => (await sizeOf(place)) !== undefined);
  }

  async remove(sha256: string): Promise<void> {
    const place = this.#pathOf(sha256);
    await onDisk(() => rm(place, { force: true }));
  }

  async *list(unreadable?: (path: string, reason: string) => void): AsyncGenerator<StoredBlob> {
    const look = async <T>(path: string, work: (path: string) => Promise<T>): Promise<T | undefined> => {
      try {
        return await work(path);
      } catch (error) {
        const reason = readFailureOf(error);
        if (unreadable === undefined || reason === undefined) throw error;
        unreadable(path, reason);
        return undefined;
      }
    };
    for (const shard of (await look(this.#deps.directory, namesIn)) ?? []) {
      if (!SHARD.test(shard)) continue;
      for (const name of (await look(join(this.#deps.directory, shard), namesIn)) ?? []) {
        if (!SHA256.test(name) || !name.startsWith(shard)) continue;
        const sizeBytes = await look(join(this.#deps.directory, shard, name), sizeOf);
        if (sizeBytes !== undefined) yield { sha256: name, sizeBytes };
      }
    }
  }

  /** What lies here and isn't of the store's making: the first that is found. */
  async unexpected(): Promise<string | undefined> {
    for (const shard of await namesIn(this.#deps.directory)) {
      const isShard = SHARD.test(shard);
      if (!isShard && shard !== basename(this.#temporary)) return shard;
      if ((await sizeOf(join(this.#deps.directory, shard))) !== undefined) return shard;
      for (const name of await namesIn(join(this.#deps.directory, shard))) {
        const isKept = isShard && SHA256.test(name) && name.startsWith(shard);
        if (!isKept || (await sizeOf(join(this.#deps.directory, shard, name))) === undefined) return name;
      }
    }
    return undefined;
  }

  async sweepTemporary(): Promise<number> {
    await makeFolder(this.#temporary);
    const leftovers = await readdir(this.#temporary);
    for (const name of leftovers) await rm(join(this.#temporary, name), { recursive: true, force: true });
    return leftovers.length;
  }

  exclusively<T>(sha256: string, work: () => Promise<T>): Promise<T> {
    return this.#locks.run(sha256, work);
  }

  /** The hash becomes part of a path, so nothing but a hash may pass. */
  #pathOf(sha256: string): string {
    if (!SHA256.test(sha256)) throw new TypeError("Not a SHA-256 in lower-case hexadecimal digits");
    return join(this.#deps.directory, sha256.slice(0, 2), sha256);
  }
}

const SHA256 = /^[0-9a-f]{64}$/;
const SHARD = /^[0-9a-f]{2}$/;

/** Lets work on the same key run one after the other, in the order of the calls. */
export class KeyedLock {
  /** Per key, the end of the work that was called last. Settled keys are dropped. */
  readonly #ends = new Map<string, Promise<void>>();

  /** Answers what `work` answers. A failure of one work does not reach the next. Not re-entrant. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#ends.get(key);
    const { promise: end, resolve: finish } = Promise.withResolvers<void>();
    this.#ends.set(key, end);
    await before;
    try {
      return await work();
    } finally {
      if (this.#ends.get(key) === end) this.#ends.delete(key);
      finish();
    }
  }

  /** The number of keys that are in use. */
  get size(): number {
    return this.#ends.size;
  }
}
