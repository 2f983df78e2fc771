/** ZIPs built once per set of files and kept on the disk within a bound. */

import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { onDisk } from "./file-store-faults.ts";
import { type BuildZip, buildZip } from "./zip-cache-build.ts";
import { type OpenZip, ZipShelf } from "./zip-cache-shelf.ts";
import { Slots } from "./zip-cache-slots.ts";

export type { BuildZip } from "./zip-cache-build.ts";
export type { OpenZip } from "./zip-cache-shelf.ts";

export interface ZipCacheOptions {
  /** The cache's folder; one process at a time may use it. */
  directory: string;
  /** What all kept ZIPs may hold together. Only those that are being read can exceed it. */
  maxBytes: number;
  newId: () => string;
}

/** A build reads and writes as fast as the disk goes; more at once would only slow each other down. */
const BUILDS_AT_ONCE = 2;

const SHA256 = /^[0-9a-f]{64}$/;

export class ZipCache {
  readonly #directory: string;
  readonly #newId: () => string;
  readonly #shelf: ZipShelf;
  readonly #slots = new Slots(BUILDS_AT_ONCE);
  /** For each key that is being built, those who wait for it. */
  readonly #waiting = new Map<string, PromiseWithResolvers<OpenZip>[]>();

  constructor({ directory, maxBytes, newId }: ZipCacheOptions) {
    this.#directory = directory;
    this.#newId = newId;
    this.#shelf = new ZipShelf(directory, maxBytes);
  }

  /** Takes over what an earlier run kept and removes what it left half-done. To be called once, at the start. */
  async sweep(): Promise<void> {
    await onDisk(() => this.#shelf.restore());
  }

  /**
   * The ZIP of a set of files, `key` being the set's SHA-256 in lower-case hexadecimal digits: a kept one, or one
   * that `build` makes. Everyone who asks for the same key meanwhile waits for the same build and gets a handle of
   * their own. A ZIP with `keep: false` goes to those who wait and to nobody after them.
   *
   * Throws what `build` throws, and 507 or 503 for a full or failing disk; the next call then tries again.
   */
  async obtain(key: string, build: BuildZip): Promise<OpenZip> {
    if (!SHA256.test(key)) throw new TypeError("Not a SHA-256 in lower-case hexadecimal digits");
    const kept = this.#shelf.has(key) ? await this.#shelf.open(key) : undefined;
    return kept ?? (await this.#join(key, build));
  }

  #join(key: string, build: BuildZip): Promise<OpenZip> {
    const waiter = Promise.withResolvers<OpenZip>();
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
  async #build(key: string, build: BuildZip): Promise<void> {
    const path = join(this.#directory, `${key}.${this.#newId()}.part`);
    try {
      const { keep, sizeBytes } = await buildZip(path, build);
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

  async #keep(key: string, path: string, sizeBytes: number, build: BuildZip): Promise<void> {
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

  #endWaiting(key: string): PromiseWithResolvers<OpenZip>[] {
    const waiters = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    return waiters;
  }
}
