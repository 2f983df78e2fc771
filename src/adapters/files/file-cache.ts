/** Files that are built once per key and cached on disk up to a size limit: ZIPs and cover images. */
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

interface FileCacheOptions {
  /** The cache's folder; only one process at a time may use it. */
  directory: string;
  /** The extension of file names, without the dot. */
  ending: string;
  /** The total size limit. Only open files and one new file can exceed it. */
  maxBytes: number;
  /** Maximum number of concurrent builds; others wait. */
  buildsAtOnce: number;
  newId: () => string;
  clock: Clock;
}

interface ObtainOptions {
  /** Limits the concurrent builds of this kind, instead of the cache's own limit. */
  limit?: LimitFunction;
  /** Ends the wait with the signal's reason; the build continues. */
  signal?: AbortSignal;
}

const SHA256 = /^[0-9a-f]{64}$/;

export class FileCache {
  readonly #directory: string;
  readonly #newId: () => string;
  readonly #index: FileCacheIndex;
  readonly #limit: LimitFunction;
  /** The callers that wait for each pending build, by key. */
  readonly #waiting = new Map<string, Set<PromiseWithResolvers<CachedFile>>>();
  readonly #builds = new Set<Promise<void>>();

  constructor({ buildsAtOnce, ...options }: FileCacheOptions) {
    this.#directory = options.directory;
    this.#newId = options.newId;
    this.#index = new FileCacheIndex(options);
    this.#limit = pLimit(buildsAtOnce);
  }

  get kept(): KeptTotals {
    return this.#index.totals;
  }

  /** Takes over the files of an earlier run and deletes incomplete ones. Call it once, at the start. */
  async sweep(): Promise<void> {
    await onDisk(() => this.#index.restore());
  }

  /** The cached file of a key, without building it. */
  async find(key: string): Promise<CachedFile | undefined> {
    assertKey(key);
    return this.#index.has(key) ? await this.#index.open(key) : undefined;
  }

  /**
   * The file of a key: the cached one, or one that `build` creates. The key is the lower-case hexadecimal SHA-256 of
   * everything that determines the file. Concurrent callers share one build, and each gets its own handle.
   * Throws the error of `build`, 507 or 503 for a full or failing disk, 503 `cache_busy` if slow readers hold all the
   * space with files that are no longer served, and the reason of `signal`. The next call tries again.
   */
  async obtain(key: string, build: BuildFile, options: ObtainOptions = {}): Promise<CachedFile> {
    assertKey(key);
    // Not awaited in between: a build that finishes at this moment would otherwise be started again.
    const kept = this.#index.has(key) ? await this.#index.open(key) : undefined;
    return kept ?? (await this.#join(key, build, options));
  }

  /** Resolves when no build is running. */
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
    if (this.#index.isFull) throw noRoom();
    const waiters = new Set<PromiseWithResolvers<CachedFile>>();
    this.#waiting.set(key, waiters);
    const building = limit(() => this.#build(key, build)).finally(() => this.#builds.delete(building));
    this.#builds.add(building);
    return waiters;
  }

  /** Never rejects: errors are passed to the callers that wait. */
  async #build(key: string, build: BuildFile): Promise<void> {
    const path = join(this.#directory, `${key}.${this.#newId()}.part`);
    try {
      const built = await buildFile(path, build);
      await onDisk(() => this.#keep(key, path, built));
    } catch (error) {
      for (const waiter of this.#endWaiting(key)) waiter.reject(error);
    } finally {
      // The file still exists only if it wasn't kept; what can't be deleted now is deleted at the next start.
      await rm(path, { force: true }).catch(() => {});
    }
  }

  async #keep(
    key: string,
    path: string,
    { sizeBytes, keepMs }: Built & { sizeBytes: number },
  ): Promise<void> {
    await this.#index.place(key, path);
    // Synchronous up to `evict`: all waiting callers count as readers before anything is evicted.
    const isPermanent = keepMs === undefined;
    this.#index.add(key, isPermanent ? { sizeBytes } : { sizeBytes, keepMs, version: this.#newId() });
    for (const waiter of this.#endWaiting(key)) waiter.resolve(this.#opened(key));
    this.#index.evict();
    // An unsealed file is deleted at the next start.
    if (isPermanent) await this.#index.seal(key);
  }

  /** The new file, for a caller that waited for it. */
  async #opened(key: string): Promise<CachedFile> {
    const file = await this.#index.open(key);
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

// Writes a cached file to a temporary path first.

/** How long a file may be served. */
export interface Built {
  /** Milliseconds; without it, the file is valid until it is evicted. */
  keepMs?: number;
}

/** Writes the whole file and ends the output. */
export type BuildFile = (output: Writable) => Promise<Built>;

/** Runs `build` into a new file at `path`. If it fails, the file is deleted; a full disk is reported as 507. */
async function buildFile(path: string, build: BuildFile): Promise<Built & { sizeBytes: number }> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const output = createWriteStream(path, { flags: "wx", mode: 0o600, highWaterMark: 1024 * 1024 });
  // The disk can fail before `build` listens for errors; it then gets the error when it writes.
  output.on("error", () => {});
  try {
    const built = await build(output);
    if (!output.writableFinished) throw new Error("The file was never ended.");
    return { ...built, sizeBytes: output.bytesWritten };
  } catch (error) {
    output.destroy();
    await closed(output);
    // The first error is the one to report.
    await rm(path, { force: true }).catch(() => {});
    throw storageError(error);
  } finally {
    await closed(output);
  }
}

async function closed(output: Writable): Promise<void> {
  if (!output.closed) await new Promise<void>((resolve) => output.once("close", () => resolve()));
}
