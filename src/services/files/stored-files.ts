/** Keeps stored bytes and rows consistent: every row has its bytes, and unreferenced bytes are deleted or set aside. */
import type {
  FileStore,
  Inspectable,
  OpenedBlob,
  ReceivedFile,
  StoredBlob,
} from "../../adapters/files/file-store.ts";
import { AppError, notFound } from "../../errors.ts";
import type { KeptBytesRepository } from "../../repositories/kept-bytes.repository.ts";
import { Service } from "../shared/service.ts";
import { type Claim, type Removals, RemovedMeanwhileError } from "./removals.ts";
import { iterateStoredBatches } from "./stored-batches.ts";

interface StoredFilesDeps {
  store: FileStore;
  files: KeptBytesRepository;
  removals: Removals;
}

/** Stored bytes to which a row of a file or an examination refers. */
export interface KnownBytes extends StoredBlob, Inspectable {
  isKnown: true;
}

interface UnknownCount {
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

export class StoredFiles extends Service<StoredFilesDeps> {
  #swept = 0;
  #setAsideSize: SetAsideSize | undefined;

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
    const sizeBytes = await this.deps.files.findSize(sha256);
    if (sizeBytes === undefined || !(await this.#has(sha256))) throw contentUnknown();
    const open = async () => (await this.open(sha256)).handle;
    return { isKnown: true, sha256, sizeBytes, open };
  }

  async #has(sha256: string): Promise<boolean> {
    const { store } = this.deps;
    return (await store.has(sha256)) || (await store.isSetAside(sha256));
  }

  /**
   * Reserves and stores the bytes, then writes the row, which begins by claiming them. If that fails, a sweep removes
   * the bytes. A copy of them that was set aside is deleted only when there is a row.
   * @throws AppError 404 `content_unknown` if known bytes were removed meanwhile; 503 if they are being removed for long
   */
  async keep<T>(content: ReceivedFile | KnownBytes, writeRow: (claim: Claim) => Promise<T>): Promise<T> {
    return "isKnown" in content ? this.#keepKnown(content, writeRow) : this.#keepReceived(content, writeRow);
  }

  async #keepKnown<T>({ sha256 }: KnownBytes, writeRow: (claim: Claim) => Promise<T>): Promise<T> {
    const { store, removals } = this.deps;
    for (;;) {
      const claim = await removals.reserve(sha256);
      await store.bringBack(sha256);
      if (!(await store.has(sha256))) throw contentUnknown();
      try {
        return await writeRow(claim);
      } catch (error) {
        if (!(error instanceof RemovedMeanwhileError)) throw error;
      }
    }
  }

  async #keepReceived<T>(received: ReceivedFile, writeRow: (claim: Claim) => Promise<T>): Promise<T> {
    const { store, removals } = this.deps;
    const { sha256, sizeBytes } = received;
    // With it, the bytes can be stored again.
    await using bytes = await received.open();
    for (let kept = received; ; ) {
      const claim = await removals.reserve(sha256);
      await store.keep(kept);
      if (kept !== received) await kept.discard();
      try {
        const written = await writeRow(claim);
        // Otherwise the next start does it.
        await store.removeSetAside(sha256).catch(() => {});
        return written;
      } catch (error) {
        if (!(error instanceof RemovedMeanwhileError)) throw error;
      }
      const again = bytes.createReadStream({ start: 0, autoClose: false });
      kept = await store.receive(again, { maxBytes: sizeBytes });
    }
  }

  /**
   * Opens bytes for a row. If they were set aside, as by a start in front of another database, they come back.
   * Throws 404 `file_unavailable` if they don't exist.
   */
  async open(sha256: string): Promise<OpenedBlob> {
    const { store } = this.deps;
    try {
      return await store.open(sha256);
    } catch (error) {
      const isGone = error instanceof AppError && error.code === "file_unavailable";
      if (!isGone || !(await store.isSetAside(sha256))) throw error;
    }
    await store.bringBack(sha256);
    return await store.open(sha256);
  }

  /**
   * Deletes what crashed uploads have left behind, brings back what rows refer to, and sets aside what none refers to,
   * unless that is suspiciously much. Call it before the first upload.
   */
  async sweep(): Promise<Sweep> {
    const uploads = await this.deps.store.sweepTemporary();
    this.#swept += uploads;
    const broughtBack = await this.#bringBackReferred();
    const count = await this.countUnknown();
    if (isSuspicious(count)) return { uploads, broughtBack, setAside: 0, suspicious: count };
    const setAside = count.unknown === 0 ? 0 : await this.setAsideUnknown();
    return { uploads, broughtBack, setAside, suspicious: undefined };
  }

  async #bringBackReferred(): Promise<number> {
    const { store, files } = this.deps;
    const isKnown = (hashes: readonly string[]) => files.findReferred(hashes);
    let broughtBack = 0;
    for await (const { batch, unknown } of iterateStoredBatches(store.listSetAside(), isKnown)) {
      for (const { sha256 } of batch.filter((blob) => !unknown.includes(blob))) {
        await store.bringBack(sha256);
        broughtBack += 1;
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
   * Sets aside bytes without rows, however many there are. Those that an upload is storing are reserved.
   * @returns the number of files
   */
  async setAsideUnknown(): Promise<number> {
    let setAside = 0;
    for await (const { unknown } of this.#iterateStoredBatches()) {
      const hashes = unknown.map(({ sha256 }) => sha256);
      setAside += await this.deps.removals.run(hashes, { kind: "setAside", isUnknown: true });
    }
    this.#swept += setAside;
    return setAside;
  }

  #iterateStoredBatches() {
    const { store, files } = this.deps;
    return iterateStoredBatches(store.list(), (hashes) => files.findKnown(hashes));
  }

  /**
   * Deletes what was set aside before an instant (epoch milliseconds), unless a row refers to it.
   * @returns the number of files
   */
  async deleteSetAside(before: number, isStopped: () => boolean): Promise<number> {
    const { store, files, removals } = this.deps;
    const isKnown = (hashes: readonly string[]) => files.findKnown(hashes);
    let deleted = 0;
    for await (const { unknown } of iterateStoredBatches(store.listSetAside(), isKnown)) {
      if (isStopped()) break;
      const old = unknown.filter(({ setAsideAt }) => setAsideAt < before).map(({ sha256 }) => sha256);
      deleted += await removals.run(old, { kind: "deleteSetAside", isUnknown: true, isStopped });
    }
    return deleted;
  }

  /** Counts what is set aside, for `setAsideSize`. */
  async measureSetAside(): Promise<void> {
    this.#setAsideSize = await measureSetAside(this.deps.store);
  }
}

const contentUnknown = () =>
  notFound("content_unknown", "The service has no file with this SHA-256. Upload its content.");

interface SetAsideSize {
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
