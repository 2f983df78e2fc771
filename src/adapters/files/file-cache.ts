/** Files that are built once per key and cached up to a size limit: ZIPs and cover images. */
import type { Writable } from "node:stream";
import pLimit, { type LimitFunction } from "p-limit";
import { unavailable } from "../../errors.ts";
import { assertSha256, type ByteHandle } from "./file-store.ts";

/** A file, open for reading. The caller closes the handle. */
export interface CachedFile {
  handle: ByteHandle;
  sizeBytes: number;
  /** Of a file that expires: an id that no other file of its key has. */
  version: string | undefined;
  /** Where a proxy in front of the service finds the file, which stays there for a minute; undefined without one. */
  proxyAddress?: string | undefined;
}

/** The totals of the cache, including evicted files that are still open. */
export interface KeptTotals {
  files: number;
  bytes: number;
}

/** How long a file may be served. */
export interface Built {
  /** Milliseconds; without it, the file is valid until it is evicted. */
  keepMs?: number;
}

/** Writes the whole file and ends the output. */
export type BuildFile = (output: Writable) => Promise<Built>;

/** Where the files of a cache are: in a folder, or in a bucket of an S3 store. */
export interface CachePlace {
  readonly kept: KeptTotals;
  /** Whether no eviction can make room. */
  readonly isFull: boolean;
  /** Deletes what earlier runs left behind. Call it once, at the start. */
  sweep(): Promise<void>;
  find(key: string): Promise<CachedFile | undefined>;
  /**
   * Builds the file unless it exists, and calls `built` as soon as `find` finds it: no file that is found within that
   * call is evicted before it is closed.
   */
  build(key: string, build: BuildFile, built: () => void): Promise<void>;
  /** Deletes all finished files but those of these keys, also of other processes. */
  keepOnly(keys: ReadonlySet<string>): Promise<void>;
}

interface FileCacheOptions {
  place: CachePlace;
  /** Maximum number of concurrent builds; others wait. */
  buildsAtOnce: number;
}

interface ObtainOptions {
  /** Limits the concurrent builds of this kind, instead of the cache's own limit. */
  limit?: LimitFunction;
  /** Ends the wait with the signal's reason; the build continues. */
  signal?: AbortSignal;
}

export class FileCache {
  readonly #place: CachePlace;
  readonly #limit: LimitFunction;
  /** The callers that wait for each pending build, by key. */
  readonly #waiting = new Map<string, Set<PromiseWithResolvers<CachedFile>>>();
  readonly #builds = new Set<Promise<void>>();

  constructor({ buildsAtOnce, place }: FileCacheOptions) {
    this.#place = place;
    this.#limit = pLimit(buildsAtOnce);
  }

  get kept(): KeptTotals {
    return this.#place.kept;
  }

  /** Takes over the files of an earlier run and deletes incomplete ones. Call it once, at the start. */
  async sweep(): Promise<void> {
    await this.#place.sweep();
  }

  /** The cached file of a key, without building it. */
  async find(key: string): Promise<CachedFile | undefined> {
    assertSha256(key);
    return await this.#place.find(key);
  }

  /**
   * The file of a key: the cached one, or one that `build` creates. The key is the lower-case hexadecimal SHA-256 of
   * everything that determines the file. Concurrent callers share one build, and each gets its own handle.
   * Throws the error of `build`, 507 or 503 for a full or failing disk, 503 `cache_busy` if slow readers hold all the
   * space with files that are no longer served, and the reason of `signal`. The next call tries again.
   */
  async obtain(key: string, build: BuildFile, options: ObtainOptions = {}): Promise<CachedFile> {
    assertSha256(key);
    return (await this.#place.find(key)) ?? (await this.#join(key, build, options));
  }

  /** Deletes all finished files but those of these keys, also of other processes; what is open can be read to its end. */
  async keepOnly(keys: ReadonlySet<string>): Promise<void> {
    await this.#place.keepOnly(keys);
  }

  /** Resolves when no build is running. */
  async waitUntilIdle(): Promise<void> {
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
    if (this.#place.isFull) throw noRoom();
    const waiters = new Set<PromiseWithResolvers<CachedFile>>();
    this.#waiting.set(key, waiters);
    const building = limit(() => this.#build(key, build)).finally(() => this.#builds.delete(building));
    this.#builds.add(building);
    return waiters;
  }

  /** Never rejects: errors are passed to the callers that wait. */
  async #build(key: string, build: BuildFile): Promise<void> {
    try {
      await this.#place.build(key, build, () => {
        for (const waiter of this.#endWaiting(key)) waiter.resolve(this.#openKept(key));
      });
    } catch (error) {
      for (const waiter of this.#endWaiting(key)) waiter.reject(error);
    }
  }

  /** The new file, for a caller that waited for it. */
  async #openKept(key: string): Promise<CachedFile> {
    const file = await this.#place.find(key);
    if (file === undefined) throw unavailable("cache_busy", "The file was deleted. Try again.");
    return file;
  }

  #endWaiting(key: string): Set<PromiseWithResolvers<CachedFile>> {
    const waiters = this.#waiting.get(key) ?? new Set();
    this.#waiting.delete(key);
    return waiters;
  }
}

const noRoom = () =>
  unavailable("cache_busy", "The cache for ZIPs is full of unfinished downloads. Try again in a minute.", {
    headers: { "Retry-After": "60" },
  });
