/** Bytes and the rows that name them, kept in step: no row without bytes, and no bytes for longer than their rows. */
import type { FileStore, ReceivedFile } from "../../adapters/files/file-store.ts";
import { AppError } from "../../errors.ts";
import type { FilesRepository } from "../../repositories/files.repository.ts";

interface StoredFilesDeps {
  store: FileStore;
  files: FilesRepository;
}

export class StoredFiles {
  readonly #deps: StoredFilesDeps;
  /** How many works read these bytes just now. */
  readonly #readers = new Map<string, number>();
  /** What goes when they have done. */
  readonly #due = new Set<string>();
  #swept = 0;

  constructor(deps: StoredFilesDeps) {
    this.#deps = deps;
  }

  /** How many were removed by sweeps. */
  get sweptCount(): number {
    return this.#swept;
  }

  /** Puts the bytes in their place, then writes the row; when that fails, the bytes go unless somebody needs them. */
  async keep<T>(received: ReceivedFile, writeRow: () => Promise<T>): Promise<T> {
    return this.#deps.store.exclusively(received.sha256, async () => {
      await this.#deps.store.keep(received);
      try {
        return await writeRow();
      } catch (error) {
        if (!mayBeWritten(error)) await this.#removeIfPossible(received.sha256);
        throw error;
      }
    });
  }

  /** To be called after rows are gone: removes the bytes that no row names any more. Never fails. */
  async release(hashes: readonly (string | null)[]): Promise<void> {
    for (const sha256 of new Set(hashes)) {
      if (sha256 !== null) await this.#deps.store.exclusively(sha256, () => this.#removeIfPossible(sha256));
    }
  }

  /** Runs a work that reads these bytes one after the other: those that no row names any more go when it has done. */
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

  /** Bytes without rows, as a crash between the two leaves them. @returns how many were removed */
  async sweep(): Promise<number> {
    let removed = await this.#deps.store.sweepTemporary();
    for await (const { sha256 } of this.#deps.store.list()) {
      removed += await this.#deps.store.exclusively(sha256, () => this.#removeUnlessReferred(sha256));
    }
    this.#swept += removed;
    return removed;
  }

  /** What can't be removed now, the next start sweeps: the rows are right, and that is what was asked for. */
  async #removeIfPossible(sha256: string): Promise<void> {
    await this.#removeUnlessReferred(sha256).catch(() => {});
  }

  async #removeUnlessReferred(sha256: string): Promise<0 | 1> {
    if (await this.#deps.files.isReferred(sha256)) return 0;
    if (this.#readers.has(sha256)) {
      this.#due.add(sha256);
      return 0;
    }
    await this.#deps.store.remove(sha256);
    return 1;
  }
}

/**
 * A row whose way to the disk failed at its very end: nobody sees it now, but after a crash SQLite may find it whole in
 * the WAL. Its bytes stay until the next start, which knows.
 */
const mayBeWritten = (error: unknown): boolean => error instanceof AppError && error.status === 503;
