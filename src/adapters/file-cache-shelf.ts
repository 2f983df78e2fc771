/** The finished files of a cache on the disk: which there are, which were used last, and which must go. */

import { EventEmitter } from "node:events";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../lib/node-errors.ts";
import { onDisk } from "./file-store-faults.ts";

/** A file, open for reading. Whoever asked for it closes the handle. */
export interface CachedFile {
  handle: FileHandle;
  sizeBytes: number;
  /** False for a file that nobody else will get. */
  isKept: boolean;
}

/** What all kept files hold together. */
export interface KeptTotals {
  files: number;
  bytes: number;
}

interface KeptFile {
  sizeBytes: number;
  /** Handles not yet closed. Removing a file that is being read frees nothing, so it stays until they are. */
  readers: number;
}

const READ_ONLY = 0o400;
const OWNER_MAY_WRITE = 0o200;
/** A finished file is `<key>.<ending>`, one that is being built `<key>.<id>.part`; nothing else here is touched. */
const OWN_NAME = /^(?<key>[0-9a-f]{64})\.(?<rest>[\w-]+(?:\.part)?)$/;

export interface FileShelfOptions {
  directory: string;
  ending: string;
  maxBytes: number;
}

/** Which files are kept is decided in memory, without waiting, so that no two decisions cross; the disk follows. */
export class FileShelf {
  readonly #directory: string;
  readonly #ending: string;
  readonly #maxBytes: number;
  /** In order of use, the longest unused first: a Map keeps the order of insertion. */
  readonly #kept = new Map<string, KeptFile>();
  /** What the kept files hold together. */
  #bytes = 0;
  #removals: Promise<void> = Promise.resolve();

  constructor({ directory, ending, maxBytes }: FileShelfOptions) {
    this.#directory = directory;
    this.#ending = ending;
    this.#maxBytes = maxBytes;
  }

  get totals(): KeptTotals {
    return { files: this.#kept.size, bytes: this.#bytes };
  }

  has(key: string): boolean {
    return this.#kept.has(key);
  }

  /** `undefined` when it isn't kept, or when others took the file away. It can't be evicted from this call on. */
  async open(key: string): Promise<CachedFile | undefined> {
    const file = this.#kept.get(key);
    if (file === undefined) return undefined;
    this.#keep(key, file);
    file.readers++;
    try {
      const handle = await onDisk(() => open(this.#pathOf(key), "r"));
      // Documented, but missing in the types of FileHandle.
      if (handle instanceof EventEmitter) handle.once("close", () => this.#release(file));
      const now = new Date();
      // For the order after a restart. A disk that can't be written can still be read.
      await handle.utimes(now, now).catch(() => {});
      return { handle, sizeBytes: file.sizeBytes, isKept: true };
    } catch (error) {
      this.#release(file);
      if (!isMissing(error)) throw error;
      if (this.#kept.get(key) === file) this.#forget(key);
      return undefined;
    }
  }

  /** Moves a finished file to its place. It counts as kept from `add` on. */
  async place(key: string, path: string): Promise<void> {
    await this.#removals;
    await rename(path, this.#pathOf(key));
  }

  /** Whoever shall have it opens it before `evict` is called. */
  add(key: string, sizeBytes: number): void {
    this.#keep(key, { sizeBytes, readers: 0 });
  }

  /**
   * Brings a file to the disk and marks it read-only. Only then does `restore` believe it: after a power loss a file
   * that was merely renamed into place may be short. Nobody needs to wait for it.
   */
  async seal(key: string): Promise<void> {
    try {
      await using handle = await open(this.#pathOf(key), "r+");
      await handle.datasync();
      await handle.chmod(READ_ONLY);
    } catch {
      // Evicted meanwhile, or a failing disk: then it must not be handed out again.
      this.#remove(key);
    }
  }

  /** Removes the longest unused files that nobody reads until the rest fits. */
  evict(): void {
    for (const [key, { readers }] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) return;
      if (readers === 0) this.#remove(key);
    }
  }

  /** Finds what an earlier run left: sealed files are kept, the rest goes. To be called before anything else. */
  async restore(): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const found: { key: string; sizeBytes: number; usedAt: number }[] = [];
    for (const name of await readdir(this.#directory)) {
      const { key, rest = "" } = OWN_NAME.exec(name)?.groups ?? {};
      const isFinished = rest === this.#ending;
      if (key === undefined || !(isFinished || rest.endsWith(".part"))) continue;
      const path = join(this.#directory, name);
      const { mode, size, mtimeMs } = await stat(path);
      const isSealed = isFinished && (mode & OWNER_MAY_WRITE) === 0;
      if (isSealed) found.push({ key, sizeBytes: size, usedAt: mtimeMs });
      else await rm(path, { force: true });
    }
    found.sort((one, other) => one.usedAt - other.usedAt);
    for (const { key, sizeBytes } of found) this.add(key, sizeBytes);
    this.evict();
    await this.#removals;
  }

  /** The last used from now on. */
  #keep(key: string, file: KeptFile): void {
    this.#forget(key);
    this.#kept.set(key, file);
    this.#bytes += file.sizeBytes;
  }

  #forget(key: string): void {
    this.#bytes -= this.#kept.get(key)?.sizeBytes ?? 0;
    this.#kept.delete(key);
  }

  #release(file: KeptFile): void {
    file.readers--;
    this.evict();
  }

  /** One after the other, and never in the way of a newer file of the same key. */
  #remove(key: string): void {
    this.#forget(key);
    const remove = () => rm(this.#pathOf(key), { force: true });
    // What can't be removed now is found by the next start.
    this.#removals = this.#removals.then(remove).catch(() => {});
  }

  #pathOf(key: string): string {
    return join(this.#directory, `${key}.${this.#ending}`);
  }
}
