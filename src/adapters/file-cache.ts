/** Files that are built once for each key and kept on the disk within a bound: ZIPs, covers as they are sent. */

import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { type BuildFile, buildFile } from "./file-cache-build.ts";
import { type CachedFile, FileShelf, type KeptTotals } from "./file-cache-shelf.ts";
import { onDisk } from "./file-store-faults.ts";
import { Slots } from "./slots.ts";

export type { BuildFile } from "./file-cache-build.ts";
export type { CachedFile } from "./file-cache-shelf.ts";

export interface FileCacheOptions {
  /** The cache's folder; one process at a time may use it. */
  directory: string;
  /** The ending of the files' names, without its dot. */
  ending: string;
  /** What all kept files may hold together. Only those that are being read can exceed it. */
  maxBytes: number;
  /** How many builds run at a time; the others wait. */
  buildsAtOnce: number;
  newId: () => string;
}

const SHA256 = /^[0-9a-f]{64}$/;

export class FileCache {
  readonly #directory: string;
  readonly #newId: () => string;
  readonly #shelf: FileShelf;
  readonly #slots: Slots;
  /** For each key that is being built, those who wait for it. */
  readonly #waiting = new Map<string, PromiseWithResolvers<CachedFile>[]>();

  constructor({ directory, ending, maxBytes, buildsAtOnce, newId }: FileCacheOptions) {
    this.#directory = directory;
    this.#newId = newId;
    this.#shelf = new FileShelf({ directory, ending, maxBytes });
    this.#slots = new Slots(buildsAtOnce);
  }

  get kept(): KeptTotals {
    return this.#shelf.totals;
  }

  /** Takes over what an earlier run kept and removes what it left half-done. To be called once, at the start. */
  async sweep(): Promise<void> {
    await onDisk(() => this.#shelf.restore());
  }

  /**
   * The file of a key, the SHA-256 in lower-case hexadecimal digits of all that it is made from: a kept one, or one
   * that `build` makes. Everyone who asks for the same key meanwhile waits for the same build and gets a handle of
   * their own. A file with `keep: false` goes to those who wait and to nobody after them.
   *
   * Throws what `build` throws, and 507 or 503 for a full or failing disk; the next call then tries again.
   */
  async obtain(key: string, build: BuildFile): Promise<CachedFile> {
    if (!SHA256.test(key)) throw new TypeError("Not a SHA-256 in lower-case hexadecimal digits");
    const kept = this.#shelf.has(key) ? await this.#shelf.open(key) : undefined;
    return kept ?? (await this.#join(key, build));
  }

  #join(key: string, build: BuildFile): Promise<CachedFile> {
    const waiter = Promise.withResolvers<CachedFile>();
    const waiters = this.#waiting.get(key);
    if (waiters !== undefined) {
      waiters.push(waiter);
    } else {
      this.#waiting.set(key, [waiter]);
      void this.#slots.run(() => this.#build(key, build));
    }
    return waiter.promise;
  }

  /** Never rejects: what goes wrong goes to those who wait. */
  async #build(key: string, build: BuildFile): Promise<void> {
    const path = join(this.#directory, `${key}.${this.#newId()}.part`);
    try {
      const { keep, sizeBytes } = await buildFile(path, build);
      await onDisk(() =>
        keep ? this.#keep(key, path, sizeBytes, build) : this.#share(key, path, sizeBytes),
      );
    } catch (error) {
      for (const waiter of this.#endWaiting(key)) waiter.reject(error);
    } finally {
      // Still there only when it wasn't kept; what can't be removed now is found by the next start.
      await rm(path, { force: true }).catch(() => {});
    }
  }

  async #keep(key: string, path: string, sizeBytes: number, build: BuildFile): Promise<void> {
    await this.#shelf.place(key, path);
    // Nothing waits from here to `evict`: all of them count as readers before anything may go.
    this.#shelf.add(key, sizeBytes);
    for (const waiter of this.#endWaiting(key)) waiter.resolve(this.obtain(key, build));
    this.#shelf.evict();
    await this.#shelf.seal(key);
  }

  /** The file has no name any more once all have it open, and vanishes with the last handle. */
  async #share(key: string, path: string, sizeBytes: number): Promise<void> {
    // Whoever comes while the others are served is added to the same list, and served too.
    for (const waiter of this.#waiting.get(key) ?? []) {
      waiter.resolve({ handle: await open(path, "r"), sizeBytes, isKept: false });
    }
    this.#endWaiting(key);
  }

  #endWaiting(key: string): PromiseWithResolvers<CachedFile>[] {
    const waiters = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    return waiters;
  }
}
