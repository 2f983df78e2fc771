/** Keeps stored bytes and rows consistent: every row has its bytes, and unreferenced bytes are deleted. */
import type { FileStore, ReceivedFile } from "../../adapters/files/file-store.ts";
import type { Database, HeldLock } from "../../db/database.ts";
import { AppError } from "../../errors.ts";
import type { FilesRepository } from "../../repositories/files.repository.ts";

interface StoredFilesDeps {
  store: FileStore;
  files: FilesRepository;
  /** Its locks: "store the bytes, write the row" and "no row is left, delete the bytes" must not interleave. */
  database: Pick<Database, "exclusively" | "tryExclusively">;
}

/** The number of stored files that a sweep looks up at once. */
const LOOKED_UP_AT_ONCE = 500;

export class StoredFiles {
  readonly #deps: StoredFilesDeps;
  /** Number of operations that currently read these bytes. */
  readonly #readers = new Map<string, number>();
  /** Bytes to delete when no operation reads them any more. */
  readonly #due = new Set<string>();
  #swept = 0;

  constructor(deps: StoredFilesDeps) {
    this.#deps = deps;
  }

  /** Number of files that sweeps have removed. */
  get sweptCount(): number {
    return this.#swept;
  }

  /** Stores the bytes, then writes the row. If that fails, the bytes are deleted unless another row references them. */
  async keep<T>(received: ReceivedFile, writeRow: () => Promise<T>): Promise<T> {
    return this.#deps.database.exclusively(received.sha256, async (lock) => {
      await this.#deps.store.keep(received);
      try {
        return await writeRow();
      } catch (error) {
        if (!mayBeWritten(error)) await this.#removeUnlessReferred(received.sha256, lock).catch(() => {});
        throw error;
      }
    });
  }

  /** Call this after deleting rows: deletes the bytes that no row references any more. Never fails. */
  async release(hashes: readonly (string | null)[]): Promise<void> {
    for (const sha256 of new Set(hashes)) {
      if (sha256 !== null) await this.#removeIfPossible(sha256);
    }
  }

  /** Runs an operation that reads these bytes in turn. Bytes that lose their last reference are deleted after it. */
  async whileRead<T>(hashes: Iterable<string>, work: () => Promise<T>): Promise<T> {
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
   * Deletes bytes without rows, which a crash can leave behind. Leaves those whose lock is held: an upload that is being
   * kept has no row yet, and a session that hangs mustn't delay a start.
   * @returns the number of deleted files
   */
  async sweep(): Promise<number> {
    let removed = await this.#deps.store.sweepTemporary();
    for await (const hashes of this.#storedInBatches()) {
      const referred = await this.#deps.files.referredAmong(hashes);
      for (const sha256 of hashes.filter((hash) => !referred.has(hash))) {
        const remove = (lock: HeldLock) => this.#removeUnlessReferred(sha256, lock);
        removed += (await this.#deps.database.tryExclusively(sha256, remove)) ?? 0;
      }
    }
    this.#swept += removed;
    return removed;
  }

  async *#storedInBatches(): AsyncGenerator<string[]> {
    let batch: string[] = [];
    for await (const { sha256 } of this.#deps.store.list()) {
      if (batch.push(sha256) < LOOKED_UP_AT_ONCE) continue;
      yield batch;
      batch = [];
    }
    // PostgreSQL has no empty lists.
    if (batch.length > 0) yield batch;
  }

  /** What can't be deleted now is deleted at the next start: the rows are already correct. */
  async #removeIfPossible(sha256: string): Promise<void> {
    await this.#remove(sha256).catch(() => {});
  }

  #remove(sha256: string): Promise<0 | 1> {
    return this.#deps.database.exclusively(sha256, (lock) => this.#removeUnlessReferred(sha256, lock));
  }

  async #removeUnlessReferred(sha256: string, lock: HeldLock): Promise<0 | 1> {
    if (await this.#deps.files.isReferred(sha256)) return 0;
    if (this.#readers.has(sha256)) {
      this.#due.add(sha256);
      return 0;
    }
    await lock.renew();
    await this.#deps.store.remove(sha256);
    return 1;
  }
}

/**
 * A row whose commit failed at the very last step isn't visible now, but after a crash SQLite can find it complete in
 * the WAL. Its bytes are kept until the next start decides.
 */
const mayBeWritten = (error: unknown): boolean => error instanceof AppError && error.status === 503;
