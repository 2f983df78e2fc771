/** The ZIPs of languages: built once for each set of files, then served from the cache. */
import type { FileHandle } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import type { CloudFetch } from "../adapters/cloud-fetch.ts";
import { CloudFetchError } from "../adapters/cloud-fetch-error.ts";
import type { FileCache } from "../adapters/file-cache.ts";
import type { FileStore, ReceivedFile } from "../adapters/file-store.ts";
import { READ_BYTES } from "../adapters/file-store-disk.ts";
import type { Logger } from "../adapters/logger.ts";
import { writeZip, type ZipEntry } from "../adapters/zip-archive.ts";
import { AppError, unavailable } from "../errors.ts";
import { directDownloadUrl } from "../lib/cloud-links.ts";
import type { ActiveFileRow } from "../repositories/publication.repository.ts";
import type { ArchivePlan } from "./archive-plan.ts";
import { openBytes } from "./open-bytes.ts";
import { sourceTypeOf } from "./presenters.ts";
import type { StoredFiles } from "./stored-files.ts";

export interface OpenArchive {
  handle: FileHandle;
  sizeBytes: number;
  /** Quoted. */
  etag: string;
}

export class Archives {
  readonly #cache: FileCache;
  readonly #store: FileStore;
  readonly #stored: StoredFiles;
  readonly #cloud: CloudFetch;
  readonly #log: Logger;
  readonly #newId: () => string;
  readonly #maxCloudFileBytes: number;
  readonly #stop = new AbortController();
  readonly #opening = new Set<Promise<unknown>>();

  constructor(uses: {
    cache: FileCache;
    store: FileStore;
    stored: StoredFiles;
    cloud: CloudFetch;
    log: Logger;
    newId: () => string;
    maxCloudFileBytes: number;
  }) {
    this.#cache = uses.cache;
    this.#store = uses.store;
    this.#stored = uses.stored;
    this.#cloud = uses.cloud;
    this.#log = uses.log;
    this.#newId = uses.newId;
    this.#maxCloudFileBytes = uses.maxCloudFileBytes;
  }

  /** The ZIP of a plan, open for reading; whoever takes it closes the handle. 503 when a member can't be read. */
  async open(plan: ArchivePlan): Promise<OpenArchive> {
    const opening = this.#cache.obtain(plan.id, (output) => this.#build(plan, output));
    this.#opening.add(opening);
    const { handle, sizeBytes, isKept } = await opening.finally(() => this.#opening.delete(opening));
    // A ZIP that misses members is built anew for the next reader: its bytes must never be joined to another's.
    return { handle, sizeBytes, etag: isKept ? `"${plan.id}"` : `"${this.#newId()}"` };
  }

  /** Begins to build a ZIP that somebody will ask for in a moment. */
  prepare(plan: ArchivePlan): void {
    this.open(plan)
      .then(({ handle }) => handle.close())
      .catch((error) =>
        this.#log.warn({ err: error, archiveId: plan.id }, "an archive could not be prepared"),
      );
  }

  /** Breaks off what is being built and waits until nothing of it is left. */
  async close(): Promise<void> {
    this.#stop.abort(new Error("The service is stopping"));
    await Promise.allSettled(this.#opening);
  }

  /** Packs the members one after the other; what can't be fetched from the cloud is named in MISSING.txt. */
  async #build(plan: ArchivePlan, output: Writable): Promise<{ keep: boolean }> {
    const missing: string[] = [];
    const hashes = plan.members.flatMap(({ file }) => file.sha256 ?? []);
    // Or an archive would never be done while its files are replaced one after the other.
    await this.#stored.whileRead(hashes, () =>
      writeZip(this.#entries(plan, missing), output, this.#stop.signal),
    );
    return { keep: missing.length === 0 };
  }

  async *#entries(plan: ArchivePlan, missing: string[]): AsyncGenerator<ZipEntry> {
    for (const { name, file } of plan.members) {
      const { sha256, fileSizeBytes } = file;
      if (sha256 !== null) {
        yield { name, open: () => this.#openStored({ sha256, fileSizeBytes }) };
        continue;
      }
      const fetched = await this.#fetch(file);
      if ("reason" in fetched) missing.push(`${name}: ${fetched.reason}`);
      else yield* fetchedEntry(name, fetched);
    }
    if (missing.length > 0) yield { name: "MISSING.txt", text: missingText(missing) };
  }

  async #openStored(bytes: { sha256: string; fileSizeBytes: number }): Promise<Readable> {
    try {
      const { handle } = await openBytes(this.#store, bytes);
      return handle.createReadStream({ highWaterMark: READ_BYTES });
    } catch (cause) {
      // The member's own 404 would say that the archive isn't there, and send readers away for good.
      throw unavailable("archive_unavailable", "This archive can't be put together just now.", { cause });
    }
  }

  /** The whole file before its entry begins: a fetch that breaks off must not leave half an entry. */
  async #fetch(file: ActiveFileRow): Promise<ReceivedFile | { reason: string }> {
    const source = sourceTypeOf(file);
    if (file.cloudUrl === null || source === "local") return { reason: "The file has no address." };
    try {
      const url = directDownloadUrl(file.cloudUrl, source, file.fileType);
      const { signal } = this.#stop;
      const body = await this.#cloud.open(url, { acceptHtml: file.fileType === "html", signal });
      return await this.#store.receive(body, { maxBytes: this.#maxCloudFileBytes });
    } catch (error) {
      this.#log.warn({ err: error, fileId: file.id }, "a cloud file could not be fetched");
      if (error instanceof CloudFetchError) return { reason: error.message };
      if (error instanceof AppError && error.status < 500) return { reason: error.message };
      throw error;
    }
  }
}

/** The temporary file goes when its turn is over, also when the ZIP breaks in it. */
async function* fetchedEntry(name: string, fetched: ReceivedFile): AsyncGenerator<ZipEntry> {
  try {
    yield { name, open: async () => fetched.read() };
  } finally {
    await fetched.discard();
  }
}

const missingText = (missing: readonly string[]): string =>
  `These files could not be fetched when this archive was made:\r\n\r\n${missing.join("\r\n")}\r\n`;
