/** The ZIPs of languages: built once for each set of files, then served from the cache. */
import { createHash } from "node:crypto";
import { Readable, type Writable } from "node:stream";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import type { CloudFetch } from "../../adapters/cloud-fetch.ts";
import { CloudFetchError } from "../../adapters/cloud-fetch.ts";
import type { Built, CachedFile, FileCache } from "../../adapters/files/file-cache.ts";
import type { ByteHandle, FileStore, ReceivedFile, StoredBlob } from "../../adapters/files/file-store.ts";
import { READ_BYTES } from "../../adapters/files/file-store-disk.ts";
import { writeZip, type ZipEntry } from "../../adapters/files/zip-archive.ts";
import type { Logger } from "../../adapters/logger.ts";
import type { Clock, Scheduler } from "../../adapters/system.ts";
import { AppError, unavailable } from "../../errors.ts";
import { findDirectDownloadUrl } from "../../lib/cloud-links.ts";
import type { ActiveFileRow } from "../../repositories/publication.repository.ts";
import type { StoredFiles } from "../files/stored-files.ts";
import { Service } from "../shared/service.ts";
import type { ArchivePlan } from "./archive-plan.ts";

export interface OpenArchive {
  handle: ByteHandle;
  sizeBytes: number;
  /** In quotes. */
  etag: string;
  /** Where a proxy finds a ZIP with all members; undefined if the service sends it. */
  proxyAddress?: string | undefined;
}

interface ArchivesDeps {
  cache: FileCache;
  store: FileStore;
  stored: Pick<StoredFiles, "open">;
  cloud: CloudFetch;
  clock: Clock;
  schedule: Scheduler;
  log: Logger;
  maxCloudFileBytes: number;
}

/** Slow cloud hosts must not delay archives of local files. */
const CLOUD_BUILDS_AT_ONCE = 2;
/** Time limit for fetching all cloud members of one archive. */
const MAX_FETCHING_MS = 30 * 60_000;
/** Shorter than the 60 seconds after which proxies time out. */
const MAX_WAIT_MS = 30_000;
const RETRY_AFTER_SECONDS = 10;
/** How long an incomplete archive is served, and how long a failed source isn't requested again. */
const RETRY_SOURCE_MS = 10 * 60_000;
/** How long stored bytes that were found to be wrong aren't read again. */
const RETRY_WRONG_BYTES_MS = 60_000;
const REMEMBERED_FAILURES = 1000;

interface Failure {
  reason: string;
  at: number;
}

/** The state of one build. */
interface Build {
  /** The lines of MISSING.txt. */
  missing: string[];
  /** Aborted when the time for fetching is over. */
  signal: AbortSignal;
}

export class Archives extends Service<ArchivesDeps> {
  readonly #stop = new AbortController();
  readonly #cloudLimit = pLimit(CLOUD_BUILDS_AT_ONCE);
  /** By the URL that was requested. */
  readonly #failures = new LRUCache<string, Failure>({ max: REMEMBERED_FAILURES });
  /** When the bytes of a stored file were found to be wrong, by SHA-256. */
  readonly #wrongBytes = new LRUCache<string, number>({ max: REMEMBERED_FAILURES });

  /** Opens the ZIP of a plan if it exists, without building it; the caller closes the handle. */
  async openKept(plan: ArchivePlan): Promise<OpenArchive | undefined> {
    const file = await this.deps.cache.find(plan.id);
    return file && openArchive(plan, file);
  }

  /**
   * Opens the ZIP of a plan, and builds it if necessary; the caller closes the handle. Concurrent callers share one
   * build. Throws 503 `archive_in_preparation` if it takes longer than half a minute (the build continues), and 503
   * `archive_unavailable` if a local member can't be read or has other bytes than were stored.
   */
  async open(plan: ArchivePlan): Promise<OpenArchive> {
    const { cache, schedule } = this.deps;
    const patience = new AbortController();
    const cancel = schedule(MAX_WAIT_MS, () => patience.abort(inPreparation()));
    const limit = hasCloudMembers(plan) ? { limit: this.#cloudLimit } : {};
    try {
      const build = (output: Writable) => this.#build(plan, output);
      return openArchive(plan, await cache.obtain(plan.id, build, { ...limit, signal: patience.signal }));
    } finally {
      cancel();
    }
  }

  /** Starts building a ZIP that is about to be requested. */
  prepare(plan: ArchivePlan): void {
    this.open(plan)
      .then(({ handle }) => handle.close())
      .catch((error) => {
        if (error instanceof AppError && error.code === IN_PREPARATION) return;
        this.deps.log.warn({ err: error, archiveId: plan.id }, "could not build a ZIP");
      });
  }

  /** Aborts all builds and waits until they have cleaned up. */
  async close(): Promise<void> {
    this.#stop.abort(new Error("The server is shutting down"));
    await this.deps.cache.waitUntilIdle();
  }

  /** Packs the members in order. Cloud members that can't be fetched are listed in MISSING.txt. */
  async #build(plan: ArchivePlan, output: Writable): Promise<Built> {
    const { schedule } = this.deps;
    const hashes = plan.members.flatMap(({ file }) => file.sha256 ?? []);
    if (hashes.some((sha256) => this.#isKnownWrong(sha256))) throw cannotBeBuilt();
    const deadline = new AbortController();
    const cancel = schedule(MAX_FETCHING_MS, () => deadline.abort(outOfTime()));
    const build = { missing: [], signal: AbortSignal.any([this.#stop.signal, deadline.signal]) };
    try {
      await writeZip(this.#readEntries(plan, build), output, this.#stop.signal);
    } finally {
      cancel();
    }
    return build.missing.length === 0 ? {} : { keepMs: RETRY_SOURCE_MS };
  }

  async *#readEntries(plan: ArchivePlan, build: Build): AsyncGenerator<ZipEntry> {
    const { missing } = build;
    for (const { name, file } of plan.members) {
      const { sha256 } = file;
      if (sha256 !== null) {
        yield { name, open: async () => Readable.from(this.#readBytes(file, sha256), { objectMode: false }) };
        continue;
      }
      const fetched = await this.#fetch(file, build.signal);
      if ("reason" in fetched) missing.push(`${name}: ${fetched.reason}`);
      else yield* iterateFetchedEntry(name, fetched);
    }
    if (plan.credits !== undefined) yield { name: "CREDITS.txt", text: plan.credits };
    if (missing.length > 0) yield { name: "MISSING.txt", text: describeMissing(missing) };
  }

  /** The stored bytes of a member; fails in the place of their end if they aren't those that were stored. */
  async *#readBytes({ id: fileId, bookId, fileSizeBytes: sizeBytes }: ActiveFileRow, sha256: string) {
    const { stored, clock, log } = this.deps;
    try {
      const { handle } = await stored.open(sha256);
      yield* verifyBytes(handle.createReadStream({ highWaterMark: READ_BYTES }), { sha256, sizeBytes });
    } catch (cause) {
      if (cause instanceof WrongBytesError) {
        this.#wrongBytes.set(sha256, clock.now());
        log.error({ err: cause, fileId, bookId }, "the stored bytes of a file are wrong; no ZIP contains it");
      }
      // The member's 404 would mean that the archive doesn't exist, and clients would not try again.
      throw cannotBeBuilt(cause);
    }
  }

  /** Whether the bytes were found to be wrong so recently that they aren't read again yet. */
  #isKnownWrong(sha256: string): boolean {
    const at = this.#wrongBytes.get(sha256);
    return at !== undefined && isWithin(RETRY_WRONG_BYTES_MS, at, this.deps.clock.now());
  }

  /** Fetches the whole file before its entry begins: an aborted fetch must not leave half an entry. */
  async #fetch(file: ActiveFileRow, signal: AbortSignal): Promise<ReceivedFile | { reason: string }> {
    const { cloud, store, clock, log, maxCloudFileBytes } = this.deps;
    if (file.cloudUrl === null) return { reason: "The file has no URL." };
    const url = findDirectDownloadUrl(file.cloudUrl, file.fileType);
    const known = this.#findFailure(url);
    if (known) return known;
    try {
      signal.throwIfAborted();
      const body = await cloud.open(url, { acceptHtml: file.fileType === "html", signal });
      return await store.receive(body, { maxBytes: maxCloudFileBytes });
    } catch (error) {
      log.warn({ err: error, fileId: file.id }, "could not fetch a cloud file");
      if (!isOfSource(error)) throw error;
      // Running out of time isn't a failure of the source.
      if (!signal.aborted) this.#failures.set(url, { reason: error.message, at: clock.now() });
      return { reason: error.message };
    }
  }

  /** The reason of a recent failure of this source, which isn't requested again yet. */
  #findFailure(url: string): Failure | undefined {
    const failure = this.#failures.get(url);
    return failure && isWithin(RETRY_SOURCE_MS, failure.at, this.deps.clock.now()) ? failure : undefined;
  }
}

/**
 * An incomplete archive has its own entity tag, which no proxy makes: its bytes must never be combined with those of
 * another one.
 */
const openArchive = (
  plan: ArchivePlan,
  { handle, sizeBytes, version, proxyAddress }: CachedFile,
): OpenArchive =>
  version === undefined
    ? { handle, sizeBytes, etag: wholeEtag(plan), proxyAddress }
    : { handle, sizeBytes, etag: `"${version}"` };

/** The entity tag of the ZIP with all members. */
export const wholeEtag = (plan: ArchivePlan): string => `"${plan.id}"`;

/** Whether the archive can turn out to be incomplete. */
export const hasCloudMembers = (plan: ArchivePlan): boolean =>
  plan.members.some(({ file }) => file.sha256 === null);

const IN_PREPARATION = "archive_in_preparation";

const inPreparation = () =>
  unavailable(IN_PREPARATION, "The ZIP is still being built. Try again in a few seconds.", {
    headers: { "Retry-After": String(RETRY_AFTER_SECONDS) },
  });

const cannotBeBuilt = (cause?: unknown) =>
  unavailable("archive_unavailable", "The ZIP can't be built at the moment.", {
    cause,
    headers: { "Retry-After": String(RETRY_WRONG_BYTES_MS / 1000) },
  });

/** False also if the clock was put back: the age is unknown then. */
const isWithin = (milliseconds: number, since: number, now: number): boolean =>
  since <= now && now < since + milliseconds;

const outOfTime = () => new CloudFetchError("timed_out", "There was no time left to fetch the file.");

/** Whether the source caused the error, and not this service or its disk. */
const isOfSource = (error: unknown): error is CloudFetchError | AppError =>
  error instanceof CloudFetchError || (error instanceof AppError && error.status < 500);

/** Deletes the temporary file after its entry, also if writing the ZIP fails in it. */
async function* iterateFetchedEntry(name: string, fetched: ReceivedFile): AsyncGenerator<ZipEntry> {
  try {
    yield { name, open: async () => fetched.read() };
  } finally {
    await fetched.discard();
  }
}

const describeMissing = (missing: readonly string[]): string =>
  `These files could not be fetched when this archive was created:\r\n\r\n${missing.join("\r\n")}\r\n`;

/** A disk or a store gives other bytes than it was given. */
class WrongBytesError extends Error {
  override readonly name = "WrongBytesError";
}

/**
 * The bytes of a blob. Throws a WrongBytesError in the place of their end if they have another size or SHA-256. Surplus
 * bytes aren't waited for: there may be no end of them.
 */
async function* verifyBytes(
  bytes: AsyncIterable<Buffer>,
  { sha256, sizeBytes }: StoredBlob,
): AsyncGenerator<Buffer, void> {
  const hash = createHash("sha256");
  let received = 0;
  for await (const chunk of bytes) {
    received += chunk.length;
    if (received > sizeBytes) throw new WrongBytesError(`${sha256} has more than ${sizeBytes} bytes.`);
    hash.update(chunk);
    yield chunk;
  }
  if (received < sizeBytes) throw new WrongBytesError(`${sha256} has ${received} of ${sizeBytes} bytes.`);
  const actual = hash.digest("hex");
  if (actual !== sha256) throw new WrongBytesError(`${sha256} has bytes with the SHA-256 ${actual}.`);
}
