/** The files of a cache in a folder: written to a temporary path first. */
import { createWriteStream } from "node:fs";
import { chmod, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Writable } from "node:stream";
import type { Clock } from "../system.ts";
import type { BuildFile, Built, CachedFile, CachePlace, KeptTotals } from "./file-cache.ts";
import { FileCacheIndex } from "./file-cache-index.ts";
import { exceedsUmask, type Modes, makeCacheFolder, PRIVATE_MODES } from "./file-store-disk.ts";
import type { ProxiedPaths } from "./proxied-paths.ts";
import { convertStorageError, onDisk } from "./storage-errors.ts";

interface FolderCacheOptions {
  /** Only one process at a time may use it. */
  directory: string;
  /** The extension of file names, without the dot. */
  ending: string;
  /** The total size limit. Only open files and one new file can exceed it. */
  maxBytes: number;
  newId: () => string;
  clock: Clock;
  /** Private unless given. */
  modes?: Modes | undefined;
  /** Undefined if no proxy sends the files. */
  proxied?: ProxiedPaths | undefined;
}

export class FolderCache implements CachePlace {
  readonly #options: FolderCacheOptions;
  readonly #index: FileCacheIndex;

  constructor(options: FolderCacheOptions) {
    this.#options = options;
    this.#index = new FileCacheIndex(options);
  }

  get kept(): KeptTotals {
    return this.#index.totals;
  }

  get isFull(): boolean {
    return this.#index.isFull;
  }

  async sweep(): Promise<void> {
    await onDisk(() => this.#index.restore());
  }

  /** Counts as a reader of the file before anything else happens. */
  async find(key: string): Promise<CachedFile | undefined> {
    return this.#index.has(key) ? await this.#index.open(key) : undefined;
  }

  async build(key: string, build: BuildFile, built: () => void): Promise<void> {
    // Another build can have ended between the look for the file and this one.
    if (this.#index.has(key)) return built();
    const path = join(this.#options.directory, `${key}.${this.#options.newId()}.part`);
    try {
      const file = await buildFile(path, build, this.#options.modes);
      await onDisk(() => this.#keep(key, path, file, built));
    } finally {
      // The file still exists only if it wasn't kept; what can't be deleted now is deleted at the next start.
      await rm(path, { force: true }).catch(() => {});
    }
  }

  async keepOnly(keys: ReadonlySet<string>): Promise<void> {
    await onDisk(() => this.#index.keepOnly(keys));
  }

  async #keep(
    key: string,
    path: string,
    { sizeBytes, keepMs }: Built & { sizeBytes: number },
    built: () => void,
  ): Promise<void> {
    await this.#index.place(key, path);
    // Synchronous up to `evict`: all waiting callers count as readers before anything is evicted.
    const isPermanent = keepMs === undefined;
    this.#index.add(key, isPermanent ? { sizeBytes } : { sizeBytes, keepMs, version: this.#options.newId() });
    built();
    this.#index.evict();
    // An unsealed file is deleted at the next start.
    if (isPermanent) await this.#index.seal(key);
  }
}

/** Runs `build` into a new file at `path`. If it fails, the file is deleted; a full disk is reported as 507. */
async function buildFile(
  path: string,
  build: BuildFile,
  { file: mode, folder }: Modes = PRIVATE_MODES,
): Promise<Built & { sizeBytes: number }> {
  await makeCacheFolder(dirname(path), folder);
  const output = createWriteStream(path, { flags: "wx", mode, highWaterMark: 1024 * 1024 });
  // The disk can fail before `build` listens for errors; it then gets the error when it writes.
  output.on("error", () => {});
  try {
    const built = await build(output);
    if (!output.writableFinished) throw new Error("The file was never ended.");
    if (exceedsUmask(mode)) await chmod(path, mode);
    return { ...built, sizeBytes: output.bytesWritten };
  } catch (error) {
    output.destroy();
    await waitForClose(output);
    // The first error is the one to report.
    await rm(path, { force: true }).catch(() => {});
    throw convertStorageError(error);
  } finally {
    await waitForClose(output);
  }
}

async function waitForClose(output: Writable): Promise<void> {
  if (!output.closed) await new Promise<void>((resolve) => output.once("close", () => resolve()));
}
