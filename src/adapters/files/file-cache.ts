/** Files that are built once for each key and kept on the disk within a bound: ZIPs, covers as they are sent. */
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Writable } from "node:stream";
import pLimit, { type LimitFunction } from "p-limit";
import { unavailable } from "../../errors.ts";
import type { Clock } from "../system.ts";
import { type CachedFile, FileCacheIndex, type KeptTotals } from "./file-cache-index.ts";
import { onDisk, storageError } from "./storage-errors.ts";

export type { CachedFile } from "./file-cache-index.ts";

export interface FileCacheOptions {
  /** The cache's folder; one process at a time may use it. */
  directory: string;
  /** The ending of the files' names, without its dot. */
  ending: string;
  /** What all files may hold together. Only those that are being read, and one that was just made, can exceed it. */
  maxBytes: number;
  /** How many builds run at a time; the others wait. */
  buildsAtOnce: number;
  newId: () => string;
  clock: Clock;
}

export interface ObtainOptions {
  /** Limits how many builds of this kind run at a time, in place of the cache's own limit. */
  limit?: LimitFunction;
  /** Ends the wait with the signal's reason; the build goes on. */
  signal?: AbortSignal;
}

const SHA256 = /^[0-9a-f]{64}$/;

export class FileCache {
  readonly #directory: string;
  readonly #newId: () => string;
  readonly #shelf: FileCacheIndex;
  readonly #limit: LimitFunction;
  /** For each key that is being built, those who wait for it. */
  readonly #waiting = new Map<string, Set<PromiseWithResolvers<CachedFile>>>();
  readonly #builds = new Set<Promise<void>>();

  constructor({ buildsAtOnce, ...options }: FileCacheOptions) {
    this.#directory = options.directory;
    this.#newId = options.newId;
    this.#shelf = new FileCacheIndex(options);
    this.#limit = pLimit(buildsAtOnce);
  }

  get kept(): KeptTotals {
    return this.#shelf.totals;
  }

  /** Takes over what an earlier run kept and removes what it left half-done. To be called once, at the start. */
  async sweep(): Promise<void> {
    await onDisk(() => this.#shelf.restore());
  }

  /** The file of a key, if it is kept; nothing is built. */
  async find(key: string): Promise<CachedFile | undefined> {
    assertKey(key);
    return this.#shelf.has(key) ? await this.#shelf.open(key) : undefined;
  }

  /**
   * The file of a key, the SHA-256 in lower-case hexadecimal digits of all that it is made from: a kept one, or one
   * that `build` makes. Everyone who asks for the same key meanwhile waits for the same build and gets a handle of
   * their own.
   *
   * Throws what `build` throws, 507 or 503 for a full or failing disk, 503 `cache_busy` when slow readers hold all the
   * room with files that are no longer handed out, and the reason of `signal`; the next call then tries again.
   */
  async obtain(key: string, build: BuildFile, options: ObtainOptions = {}): Promise<CachedFile> {
    assertKey(key);
    // Without a wait in between, or a build that ends just now would be begun once more.
    const kept = this.#shelf.has(key) ? await this.#shelf.open(key) : undefined;
    return kept ?? (await this.#join(key, build, options));
  }

  /** Resolves when nothing is being built any more. */
  async idle(): Promise<void> {
    while (this.#builds.size > 0) await Promise.all(this.#builds);
  }

  #join(key: string, build: BuildFile, { limit = this.#limit, signal }: ObtainOptions): Promise<CachedFile> {
    signal?.throwIfAborted();
    const waiters = this.#waiting.get(key) ?? this.#begin(key, build, limit);
    const waiter = Promise.withResolvers<CachedFile>();
    waiters.add(waiter);
    const leave = () => {
      waiters.delete(waiter);
      waiter.reject(signal?.reason);
    };
    signal?.addEventListener("abort", leave, { once: true });
    return waiter.promise.finally(() => signal?.removeEventListener("abort", leave));
  }

  #begin(key: string, build: BuildFile, limit: LimitFunction): Set<PromiseWithResolvers<CachedFile>> {
    if (this.#shelf.isFull) throw noRoom();
    const waiters = new Set<PromiseWithResolvers<CachedFile>>();
    this.#waiting.set(key, waiters);
    const building = limit(() => this.#build(key, build)).finally(() => this.#builds.delete(building));
    this.#builds.add(building);
    return waiters;
  }

  /** Never rejects: what goes wrong goes to those who wait. */
  async #build(key: string, build: BuildFile): Promise<void> {
    const path = join(this.#directory, `${key}.${this.#newId()}.part`);
    try {
      const built = await buildFile(path, build);
      await onDisk(() => this.#keep(key, path, built));
    } catch (error) {
      for (const waiter of this.#endWaiting(key)) waiter.reject(error);
    } finally {
      // Still there only when it wasn't kept; what can't be removed now is found by the next start.
      await rm(path, { force: true }).catch(() => {});
    }
  }

  async #keep(
    key: string,
    path: string,
    { sizeBytes, keepMs }: Built & { sizeBytes: number },
  ): Promise<void> {
    await this.#shelf.place(key, path);
    // Nothing waits from here to `evict`: all of them count as readers before anything may go.
    const isForGood = keepMs === undefined;
    this.#shelf.add(key, isForGood ? { sizeBytes } : { sizeBytes, keepMs, version: this.#newId() });
    for (const waiter of this.#endWaiting(key)) waiter.resolve(this.#opened(key));
    this.#shelf.evict();
    // What isn't sealed is removed by the next start.
    if (isForGood) await this.#shelf.seal(key);
  }

  /** The file that was just made, for one who waited for it. */
  async #opened(key: string): Promise<CachedFile> {
    const file = await this.#shelf.open(key);
    if (file === undefined) throw unavailable("cache_busy", "The file was deleted. Try again.");
    return file;
  }

  #endWaiting(key: string): Set<PromiseWithResolvers<CachedFile>> {
    const waiters = this.#waiting.get(key) ?? new Set();
    this.#waiting.delete(key);
    return waiters;
  }
}

function assertKey(key: string): void {
  if (!SHA256.test(key)) throw new TypeError("Not a SHA-256 in lower-case hexadecimal digits");
}

const noRoom = () =>
  unavailable("cache_busy", "The cache for ZIPs is full of unfinished downloads. Try again in a minute.", {
    headers: { "Retry-After": "60" },
  });

// Writes a cached file that is being built to a temporary one.

/** How long a built file may be handed out. */
export interface Built {
  /** Milliseconds; without it the file is good for as long as there is room for it. */
  keepMs?: number;
}

/** Writes the whole file and ends the output. */
export type BuildFile = (output: Writable) => Promise<Built>;

/** Runs `build` into a new file at `path`. When it fails nothing remains; a full disk surfaces as 507. */
async function buildFile(path: string, build: BuildFile): Promise<Built & { sizeBytes: number }> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const output = createWriteStream(path, { flags: "wx", mode: 0o600, highWaterMark: 1024 * 1024 });
  // The disk may fail while `build` isn't listening yet; it meets the broken stream later.
  output.on("error", () => {});
  try {
    const built = await build(output);
    if (!output.writableFinished) throw new Error("The file was never ended.");
    return { ...built, sizeBytes: output.bytesWritten };
  } catch (error) {
    output.destroy();
    await closed(output);
    // The first error is the one to tell.
    await rm(path, { force: true }).catch(() => {});
    throw storageError(error);
  } finally {
    await closed(output);
  }
}

async function closed(output: Writable): Promise<void> {
  if (!output.closed) await new Promise<void>((resolve) => output.once("close", () => resolve()));
}
