/** The files of a cache in a bucket, where all instances find them: each is written straight into its object. */
import { PassThrough, Readable } from "node:stream";
import type { Clock } from "../../system.ts";
import type { BuildFile, Built, CachedFile, CachePlace, KeptTotals } from "../file-cache.ts";
import type { Bucket, ListedObject } from "./bucket.ts";
import { ObjectHandle } from "./object-handle.ts";
import { assertOfStore } from "./store-errors.ts";

interface S3CacheOptions {
  bucket: Bucket;
  /** The start of all paths, with a slash at its end. */
  folder: string;
  /** The extension of file names, without the dot. */
  ending: string;
  /** The total size from which a sweep deletes the oldest files. */
  maxBytes: number;
  /** Whether files can expire; asking costs a request. */
  canExpire: boolean;
  newId: () => string;
  clock: Clock;
}

const MEBIBYTE = 1024 * 1024;
/** An instance sweeps again after it has written this part of the total size. */
const SWEEP_AFTER = 1 / 16;
const INCOMPLETE = ".incomplete";
/** Longer than any file is served that expires. */
const MARK_KEPT_MS = 24 * 3600 * 1000;

/**
 * Two instances that build the same file at once write the same bytes, so it doesn't matter which one is the last. A
 * file that expires differs from others of its key: each object has a version, and before it appears, an object
 * `<key>.<version>.incomplete` that says until when it may be served.
 */
export class S3Cache implements CachePlace {
  readonly #options: S3CacheOptions;
  /** After the last sweep, and what this instance has built since. */
  #kept: KeptTotals = { files: 0, bytes: 0 };
  #bytesBuilt = 0;
  /** The store has no limit that the cache knows. */
  readonly isFull = false;

  constructor(options: S3CacheOptions) {
    this.#options = options;
  }

  get kept(): KeptTotals {
    return this.#kept;
  }

  async find(key: string): Promise<CachedFile | undefined> {
    const { bucket, canExpire, clock } = this.#options;
    const path = this.#pathOf(key);
    const found = await bucket.head(path);
    if (!found) return undefined;
    const { sizeBytes, etag } = found;
    const { version } = found.metadata;
    assertOfStore(version !== undefined);
    const mark = canExpire ? await bucket.head(this.#markOf(key, version)) : undefined;
    if (mark && clock.now() >= Number(mark.metadata.until)) return undefined;
    const handle = new ObjectHandle({ bucket, path, sizeBytes, etag });
    return { handle, sizeBytes, version: mark && version };
  }

  async build(key: string, build: BuildFile, built: () => void): Promise<void> {
    // Another instance can have built it meanwhile.
    if (await this.find(key)) return built();
    this.#count(await this.#write(key, build));
    built();
    // What can't be deleted now is deleted by the next sweep.
    if (this.#bytesBuilt > this.#options.maxBytes * SWEEP_AFTER) await this.sweep().catch(() => {});
  }

  /** Deletes the oldest files until the rest fits; the newest one stays. Several instances can do it at once. */
  async sweep(): Promise<void> {
    const { bucket, folder, maxBytes } = this.#options;
    this.#bytesBuilt = 0;
    const files = new Map<string, ListedObject>();
    const marks: ListedObject[] = [];
    for await (const object of bucket.list(folder)) {
      if (object.path.endsWith(INCOMPLETE)) marks.push(object);
      else files.set(object.path, object);
    }
    let bytes = files.values().reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const oldestFirst = [...files.values()].sort((one, other) => one.modifiedAt - other.modifiedAt);
    for (const { path, sizeBytes } of oldestFirst.slice(0, -1)) {
      if (bytes <= maxBytes) break;
      await bucket.delete(path);
      files.delete(path);
      bytes -= sizeBytes;
    }
    await this.#sweepMarks(marks, files);
    this.#kept = { files: files.size, bytes };
  }

  async keepOnly(keys: ReadonlySet<string>): Promise<void> {
    const { bucket, folder } = this.#options;
    const kept = new Set([...keys].map((key) => this.#pathOf(key)));
    for await (const { path } of bucket.list(folder)) {
      if (!path.endsWith(INCOMPLETE) && !kept.has(path)) await bucket.delete(path);
    }
  }

  /** Without its mark, an incomplete file would pass for a whole one. */
  async #sweepMarks(marks: readonly ListedObject[], files: ReadonlyMap<string, ListedObject>): Promise<void> {
    const { bucket, clock, folder } = this.#options;
    for (const { path, modifiedAt } of marks) {
      const key = path.slice(folder.length).split(".", 1).join();
      const isOld = clock.now() - modifiedAt > MARK_KEPT_MS;
      if (isOld && !files.has(this.#pathOf(key))) await bucket.delete(path);
    }
  }

  /** @returns the size in bytes */
  async #write(key: string, build: BuildFile): Promise<number> {
    const { bucket, newId } = this.#options;
    const version = newId();
    const output = new PassThrough({ highWaterMark: MEBIBYTE });
    // A failed upload destroys the output; the error is thrown here, and `build` gets another one.
    output.on("error", () => {});
    const building = endOf(build(output), output);
    building.catch(() => {});
    let sizeBytes = 0;
    const mark = ({ keepMs }: Built) => this.#mark(key, version, keepMs);
    async function* measureChunks() {
      for await (const chunk of output) {
        sizeBytes += chunk.length;
        yield chunk;
      }
      await mark(await building);
    }
    try {
      await bucket.upload(this.#pathOf(key), measureChunks(), { metadata: { version } });
    } catch (error) {
      // The error of a build explains why its output broke.
      if (output.errored) await building;
      throw error;
    } finally {
      output.destroy();
      await building.catch(() => {});
    }
    return sizeBytes;
  }

  /** Before the upload ends, so that the file is never served as complete. */
  async #mark(key: string, version: string, keepMs: number | undefined): Promise<void> {
    if (keepMs === undefined) return;
    const { bucket, clock } = this.#options;
    const text = Readable.from([Buffer.from("The file is incomplete.\n")]);
    await bucket.upload(this.#markOf(key, version), text, {
      metadata: { until: String(clock.now() + keepMs) },
    });
  }

  #count(sizeBytes: number): void {
    this.#bytesBuilt += sizeBytes;
    this.#kept = { files: this.#kept.files + 1, bytes: this.#kept.bytes + sizeBytes };
  }

  #pathOf(key: string): string {
    return `${this.#options.folder}${key}.${this.#options.ending}`;
  }

  #markOf(key: string, version: string): string {
    return `${this.#options.folder}${key}.${version}${INCOMPLETE}`;
  }
}

/** Destroys the output of a build that fails or doesn't end it. */
async function endOf(building: Promise<Built>, output: PassThrough): Promise<Built> {
  try {
    const built = await building;
    if (!output.writableEnded) throw new Error("The file was never ended.");
    return built;
  } catch (error) {
    output.destroy(
      error instanceof Error ? error : new Error("The file could not be built.", { cause: error }),
    );
    throw error;
  }
}
