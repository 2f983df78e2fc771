/** Keeps stored bytes and rows consistent: every row has its bytes, and unreferenced bytes are deleted or set aside. */
import type {
  FileStore,
  Inspectable,
  OpenedBlob,
  ReceivedFile,
  StoredBlob,
} from "../../adapters/files/file-store.ts";
import type { Clock, Scheduler } from "../../adapters/system.ts";
import type { Database, HeldLock } from "../../db/database.ts";
import { AppError, notFound } from "../../errors.ts";
import type { KeptBytesRepository } from "../../repositories/kept-bytes.repository.ts";
import { PendingRemovals } from "./pending-removals.ts";
import { iterateStoredBatches } from "./stored-batches.ts";

interface StoredFilesDeps {
  store: FileStore;
  files: KeptBytesRepository;
  /** Its locks: "store the bytes, write the row" and "no row is left, delete the bytes" must not interleave. */
  database: Pick<Database, "runExclusively" | "tryRunExclusively">;
  clock: Clock;
  schedule: Scheduler;
}

/** Stored bytes to which a row of a file or an examination refers. */
export interface KnownBytes extends StoredBlob, Inspectable {
  isKnown: true;
}

export interface UnknownCount {
  /** Number of all stored files. */
  total: number;
  /** Number of those to which no row refers. */
  unknown: number;
}

/** What a sweep has done, as numbers of files. */
export interface Sweep {
  /** Unfinished uploads that were deleted. */
  uploads: number;
  /** Files that had been set aside, and to which rows refer. */
  broughtBack: number;
  setAside: number;
  /** Why nothing was set aside. */
  suspicious: UnknownCount | undefined;
}

const FEW = 10;
const SMALL_SHARE = 0.05;

export const SUSPICION =
  "no row refers to many stored files, and all stay where they are: most likely the database or the file store is another one. bookdist sweep lists them, bookdist sweep --confirm sets them aside";

/** More than crashes leave behind: the database may be that of another service, an older one, or an empty one. */
export const isSuspicious = ({ total, unknown }: UnknownCount): boolean =>
  unknown > FEW && unknown > total * SMALL_SHARE;

export class StoredFiles {
  readonly #deps: StoredFilesDeps;
  /** Number of operations that currently read these bytes. */
  readonly #readers = new Map<string, number>();
  /** Bytes to delete when no operation reads them any more. */
  readonly #due = new Set<string>();
  readonly #pending: PendingRemovals;
  #swept = 0;
  #setAsideSize: SetAsideSize | undefined;

  constructor(deps: StoredFilesDeps) {
    this.#deps = deps;
    const { schedule } = deps;
    this.#pending = new PendingRemovals({ schedule, remove: (sha256) => this.#removeIfPossible(sha256) });
  }

  /** Number of unfinished uploads that sweeps have deleted, and of files that they have set aside. */
  get sweptCount(): number {
    return this.#swept;
  }

  /** As it was at the last measurement. */
  get setAsideSize(): SetAsideSize | undefined {
    return this.#setAsideSize;
  }

  /** Bytes for a further row. @throws AppError 404 `content_unknown` if no file has these bytes, or the store has lost them */
  async findKnown(sha256: string): Promise<KnownBytes> {
    const sizeBytes = await this.#deps.files.findSize(sha256);
    if (sizeBytes === undefined || !(await this.#has(sha256))) throw contentUnknown();
    const open = async () => (await this.open(sha256)).handle;
    return { isKnown: true, sha256, sizeBytes, open };
  }

  async #has(sha256: string): Promise<boolean> {
    const { store } = this.#deps;
    return (await store.has(sha256)) || (await store.isSetAside(sha256));
  }

  /**
   * Stores the bytes, then writes the row. If that fails, the bytes are deleted unless another row references them. A
   * copy of them that was set aside is deleted only when there is a row.
   * @throws AppError 404 `content_unknown` if known bytes have lost their last row meanwhile
   */
  async keep<T>(content: ReceivedFile | KnownBytes, writeRow: () => Promise<T>): Promise<T> {
    return "isKnown" in content ? this.#keepKnown(content, writeRow) : this.#keepReceived(content, writeRow);
  }

  #keepKnown<T>({ sha256 }: KnownBytes, writeRow: () => Promise<T>): Promise<T> {
    const { store, database } = this.#deps;
    return database.runExclusively(sha256, async () => {
      await store.bringBack(sha256);
      if (!(await store.has(sha256))) throw contentUnknown();
      return writeRow();
    });
  }

  async #keepReceived<T>(received: ReceivedFile, writeRow: () => Promise<T>): Promise<T> {
    const { store, database } = this.#deps;
    const { sha256 } = received;
    return database.runExclusively(sha256, async (lock) => {
      await store.keep(received);
      this.#pending.drop(sha256);
      try {
        const written = await writeRow();
        // Otherwise the next start does it.
        await store.removeSetAside(sha256).catch(() => {});
        return written;
      } catch (error) {
        if (!mayBeWritten(error))
          await this.#removeUnlessReferred(sha256, lock).catch(() => this.#pending.add([sha256]));
        throw error;
      }
    });
  }

  /**
   * Call this after deleting rows: deletes the bytes that no row references any more. Never fails. What can't be deleted
   * now, as while the store is away, is deleted later, without the caller.
   */
  async release(hashes: readonly (string | null)[]): Promise<void> {
    const released = [...new Set(hashes)].filter((sha256) => sha256 !== null);
    for (const [index, sha256] of released.entries()) {
      if (await this.#removeIfPossible(sha256)) continue;
      // Each of the others could wait as long for the store.
      return this.#pending.add(released.slice(index));
    }
  }

  /** Removals that have failed aren't tried again any more: the next start sets these bytes aside. */
  stop(): Promise<void> {
    return this.#pending.stop();
  }

  /** Runs an operation that reads these bytes in turn. Bytes that lose their last reference are deleted after it. */
  async runWhileRead<T>(hashes: Iterable<string>, work: () => Promise<T>): Promise<T> {
    const read = [...new Set(hashes)];
    for (const sha256 of read) this.#countReader(sha256, 1);
    try {
      return await work();
    } finally {
      for (const sha256 of read) this.#countReader(sha256, -1);
      await this.release(read.filter((sha256) => this.#due.delete(sha256)));
    }
  }

  #countReader(sha256: string, change: 1 | -1): void {
    const readers = (this.#readers.get(sha256) ?? 0) + change;
    if (readers === 0) this.#readers.delete(sha256);
    else this.#readers.set(sha256, readers);
  }

  /**
   * Opens bytes for a row. If they were set aside, as by a start in front of another database, they come back.
   * Throws 404 `file_unavailable` if they don't exist.
   */
  async open(sha256: string): Promise<OpenedBlob> {
    const { store, database } = this.#deps;
    try {
      return await store.open(sha256);
    } catch (error) {
      const isGone = error instanceof AppError && error.code === "file_unavailable";
      if (!isGone || !(await store.isSetAside(sha256))) throw error;
    }
    await database.runExclusively(sha256, () => store.bringBack(sha256));
    return await store.open(sha256);
  }

  /**
   * Deletes what crashed uploads have left behind, brings back what rows refer to, and sets aside what none refers to,
   * unless that is suspiciously much. Call it before the first upload.
   */
  async sweep(): Promise<Sweep> {
    const uploads = await this.#deps.store.sweepTemporary();
    this.#swept += uploads;
    const broughtBack = await this.#bringBackReferred();
    const count = await this.countUnknown();
    if (isSuspicious(count)) return { uploads, broughtBack, setAside: 0, suspicious: count };
    const setAside = count.unknown === 0 ? 0 : await this.setAsideUnknown();
    return { uploads, broughtBack, setAside, suspicious: undefined };
  }

  async #bringBackReferred(): Promise<number> {
    const { store, files, database } = this.#deps;
    let broughtBack = 0;
    for await (const { batch, unknown } of iterateStoredBatches(store.listSetAside(), files)) {
      for (const { sha256 } of batch.filter((blob) => !unknown.includes(blob))) {
        const isDone = await database.tryRunExclusively(sha256, async () => {
          await store.bringBack(sha256);
          return true;
        });
        if (isDone) broughtBack += 1;
      }
    }
    return broughtBack;
  }

  /** Stored bytes, and those of them to which no row refers. */
  async countUnknown(): Promise<UnknownCount> {
    const count = { total: 0, unknown: 0 };
    for await (const { batch, unknown } of this.#iterateStoredBatches()) {
      count.total += batch.length;
      count.unknown += unknown.length;
    }
    return count;
  }

  /** Stored bytes to which no row refers. */
  async *listUnknown(): AsyncGenerator<StoredBlob> {
    for await (const { unknown } of this.#iterateStoredBatches()) yield* unknown;
  }

  /**
   * Sets aside bytes without rows, however many there are. Leaves those whose lock is held: an upload that is being kept
   * has no row yet, and a session that hangs must not delay a start.
   * @returns the number of files
   */
  async setAsideUnknown(): Promise<number> {
    const { store, files, database, clock } = this.#deps;
    let setAside = 0;
    for await (const { sha256 } of this.listUnknown()) {
      const isDone = await database.tryRunExclusively(sha256, async (lock) => {
        if (this.#readers.has(sha256) || (await files.isReferred(sha256))) return false;
        await lock.renew();
        await store.setAside(sha256, clock.now());
        return true;
      });
      if (isDone) setAside += 1;
    }
    this.#swept += setAside;
    return setAside;
  }

  #iterateStoredBatches() {
    return iterateStoredBatches(this.#deps.store.list(), this.#deps.files);
  }

  /**
   * Deletes what was set aside before an instant (epoch milliseconds), unless a row refers to it.
   * @returns the number of files
   */
  async deleteSetAside(before: number, isStopped: () => boolean): Promise<number> {
    const { store, files, database } = this.#deps;
    let deleted = 0;
    for await (const { sha256, setAsideAt } of store.listSetAside()) {
      if (isStopped()) break;
      if (setAsideAt >= before) continue;
      const isDone = await database.tryRunExclusively(sha256, async (lock) => {
        if (await files.isReferred(sha256)) return false;
        await lock.renew();
        await store.removeSetAside(sha256);
        return true;
      });
      if (isDone) deleted += 1;
    }
    return deleted;
  }

  /** Counts what is set aside, for `setAsideSize`. */
  async measureSetAside(): Promise<void> {
    this.#setAsideSize = await measureSetAside(this.#deps.store);
  }

  /** @returns false if the database or the store has failed: the rows are already correct */
  async #removeIfPossible(sha256: string): Promise<boolean> {
    const { store, database } = this.#deps;
    const remove = async (lock: HeldLock) => {
      // A deletion applies to all copies of the file.
      if (await this.#removeUnlessReferred(sha256, lock)) await store.removeSetAside(sha256);
      return true;
    };
    return database.runExclusively(sha256, remove).catch(() => false);
  }

  async #removeUnlessReferred(sha256: string, lock: HeldLock): Promise<boolean> {
    if (await this.#deps.files.isReferred(sha256)) return false;
    if (this.#readers.has(sha256)) {
      this.#due.add(sha256);
      return false;
    }
    await lock.renew();
    await this.#deps.store.remove(sha256);
    return true;
  }
}

/**
 * A row whose commit failed at the very last step isn't visible now, but after a crash SQLite can find it complete in
 * the WAL. Its bytes are kept until the next start decides.
 */
const mayBeWritten = (error: unknown): boolean => error instanceof AppError && error.status === 503;

const contentUnknown = () =>
  notFound("content_unknown", "The service has no file with this SHA-256. Upload its content.");

export interface SetAsideSize {
  files: number;
  bytes: number;
}

export async function measureSetAside(store: FileStore): Promise<SetAsideSize> {
  const size = { files: 0, bytes: 0 };
  for await (const { sizeBytes } of store.listSetAside()) {
    size.files += 1;
    size.bytes += sizeBytes;
  }
  return size;
}
