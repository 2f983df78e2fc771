/** Content-addressed storage of files: equal contents are stored once. */
import { readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Readable } from "node:stream";
import pLimit, { type LimitFunction } from "p-limit";
import { notFound } from "../../errors.ts";
import { isMissing } from "../../lib/node-errors.ts";
import { makeFolder, namesIn, type OpenedBlob, openBlob, sizeOf, syncFolder } from "./file-store-disk.ts";
import { type ReceivedFile, type ReceiveOptions, receiveInto } from "./file-store-receive.ts";
import { onDisk, readFailureOf } from "./storage-errors.ts";

export type { OpenedBlob } from "./file-store-disk.ts";
export type { ReceivedFile, ReceiveOptions } from "./file-store-receive.ts";

/** Stored bytes, identified by their SHA-256 (64 lower-case hexadecimal digits). */
export interface StoredBlob {
  sha256: string;
  sizeBytes: number;
}

interface FolderStoreDeps {
  /** Absolute path. Stored bytes are in `<directory>/ab/<sha256>`, incomplete ones in `<directory>/tmp/<id>`. */
  directory: string;
  newId: () => string;
}

/**
 * A store on a local disk. Only one process at a time may use the directory, because the locks are in memory. Storage
 * errors are thrown as 507 `disk_full` or 503 `storage_unavailable`.
 * A row may only refer to stored bytes, and bytes without a row are deleted. So "store the bytes, write the row" and
 * "no row is left, delete the bytes" must not interleave for the same bytes: both run inside `exclusively`.
 */
export class FolderStore {
  readonly #deps: FolderStoreDeps;
  readonly #temporary: string;
  /** By hash. Unused ones are removed. */
  readonly #locks = new Map<string, LimitFunction>();

  constructor(deps: FolderStoreDeps) {
    this.#deps = deps;
    this.#temporary = join(deps.directory, "tmp");
  }

  /**
   * Streams a source to a temporary file, which is synced to disk when this resolves. Throws 413 `file_too_large` while
   * streaming, 400 `file_empty`, 400 `upload_aborted`, or the source's own error, and deletes the temporary file. A
   * rejected source stays readable, so that its socket can still carry the response; an aborted signal destroys it.
   */
  async receive(source: AsyncIterable<Buffer> | Readable, options: ReceiveOptions): Promise<ReceivedFile> {
    return receiveInto(join(this.#temporary, this.#deps.newId()), source, options);
  }

  /** Moves received bytes to their place, durably. Call this, and write the row, inside `exclusively`. */
  async keep(received: ReceivedFile): Promise<StoredBlob> {
    const { sha256, sizeBytes } = received;
    const path = this.#pathOf(sha256);
    await onDisk(async () => {
      await makeFolder(dirname(path));
      if ((await sizeOf(path)) === sizeBytes) await received.discard();
      else await rename(received.path, path);
      // Also if nothing was moved or created here: the caller that did so may not have synced it yet, because of a
      // crash or because it is still running.
      await Promise.all([syncFolder(dirname(path)), syncFolder(this.#deps.directory)]);
    });
    return { sha256, sizeBytes };
  }

  /** Throws 404 `file_unavailable` if the bytes don't exist. */
  async open(sha256: string): Promise<OpenedBlob> {
    const path = this.#pathOf(sha256);
    try {
      return await onDisk(() => openBlob(path));
    } catch (error) {
      if (!isMissing(error)) throw error;
      throw notFound("file_unavailable", "The file is not available.", { cause: error });
    }
  }

  async has(sha256: string): Promise<boolean> {
    const path = this.#pathOf(sha256);
    return onDisk(async () => (await sizeOf(path)) !== undefined);
  }

  /** Missing bytes are fine. Call this inside `exclusively`, after checking that no row refers to them. */
  async remove(sha256: string): Promise<void> {
    const path = this.#pathOf(sha256);
    await onDisk(() => rm(path, { force: true }));
  }

  /**
   * All stored bytes, unordered.
   * @param unreadable receives each path that can't be accessed; without it, such a path is an error
   */
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

  /** The first path in the folder that the store didn't create. */
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

  /** Deletes temporary files that a crash left behind and returns their number. Call it before the first `receive`. */
  async sweepTemporary(): Promise<number> {
    await makeFolder(this.#temporary);
    const leftovers = await readdir(this.#temporary);
    for (const name of leftovers) await rm(join(this.#temporary, name), { recursive: true, force: true });
    return leftovers.length;
  }

  /** Runs `work` while no other work on the same bytes runs, in the order of the calls. Nested calls would deadlock. */
  async exclusively<T>(sha256: string, work: () => Promise<T>): Promise<T> {
    const lock = this.#locks.get(sha256) ?? pLimit(1);
    this.#locks.set(sha256, lock);
    try {
      return await lock(work);
    } finally {
      if (lock.activeCount + lock.pendingCount === 0) this.#locks.delete(sha256);
    }
  }

  /** The hash becomes part of a path, so it is validated. */
  #pathOf(sha256: string): string {
    if (!SHA256.test(sha256)) throw new TypeError("Not a SHA-256 in lower-case hexadecimal digits");
    return join(this.#deps.directory, sha256.slice(0, 2), sha256);
  }
}

const SHA256 = /^[0-9a-f]{64}$/;
const SHARD = /^[0-9a-f]{2}$/;
