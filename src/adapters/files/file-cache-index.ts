/** The finished files of a cache on the disk: which there are, which were used last, and which must go. */
import { EventEmitter } from "node:events";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../../lib/node-errors.ts";
import type { Clock } from "../system.ts";
import { onDisk } from "./storage-errors.ts";

/** A file, open for reading. Whoever asked for it closes the handle. */
export interface CachedFile {
  handle: FileHandle;
  sizeBytes: number;
  /** Of a file that is good for a while only: an id that no other file of its key has. */
  version: string | undefined;
}

/** What the files of the cache hold together, those that have no name any more but are still read included. */
export interface KeptTotals {
  files: number;
  bytes: number;
}

export interface NewFile {
  sizeBytes: number;
  /** Given together with `keepMs`, the milliseconds for which the file is good. */
  version?: string | undefined;
  keepMs?: number | undefined;
}

interface KeptFile extends NewFile {
  /** Handles not yet closed. Removing a file that is being read frees nothing, so it stays until they are. */
  readers: number;
  madeAt: number;
  /** Whether anybody has had it since it was made. */
  isUsed: boolean;
}

const READ_ONLY = 0o400;
const OWNER_MAY_WRITE = 0o200;
/** A finished file is `<key>.<ending>`, one that is being built `<key>.<id>.part`; nothing else here is touched. */
const OWN_NAME = /^(?<key>[0-9a-f]{64})\.(?<rest>[\w-]+(?:\.part)?)$/;

export interface FileCacheIndexOptions {
  directory: string;
  ending: string;
  maxBytes: number;
  clock: Clock;
}

/** Which files are kept is decided in memory, without waiting, so that no two decisions cross; the disk follows. */
export class FileCacheIndex {
  readonly #deps: FileCacheIndexOptions;
  /** In order of use, the longest unused first: a Map keeps the order of insertion. */
  readonly #kept = new Map<string, KeptFile>();
  /** What the kept files hold together. */
  #bytes = 0;
  /** Files whose name is gone while somebody still reads them: they take up room, but nobody can find them. */
  readonly #nameless = new Set<KeptFile>();
  #removals: Promise<void> = Promise.resolve();

  constructor(deps: FileCacheIndexOptions) {
    this.#deps = deps;
  }

  get totals(): KeptTotals {
    return { files: this.#kept.size + this.#nameless.size, bytes: this.#bytes + this.#namelessBytes };
  }

  /** True when files without a name fill all the room: nothing can be evicted for another one. */
  get isFull(): boolean {
    return this.#namelessBytes > 0 && this.#namelessBytes >= this.#deps.maxBytes;
  }

  get #namelessBytes(): number {
    return [...this.#nameless].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  }

  /** False for a file whose time is over, too, which goes now. */
  has(key: string): boolean {
    const file = this.#kept.get(key);
    if (file === undefined) return false;
    const age = this.#deps.clock.now() - file.madeAt;
    // Below zero after the clock was put back: how long it has been there is anybody's guess.
    if (file.keepMs === undefined || (age >= 0 && age < file.keepMs)) return true;
    this.#remove(key);
    return false;
  }

  /** `undefined` when it isn't kept, or when others took the file away. It can't be evicted from this call on. */
  async open(key: string): Promise<CachedFile | undefined> {
    const file = this.#kept.get(key);
    if (file === undefined) return undefined;
    this.#keep(key, file);
    file.readers++;
    file.isUsed = true;
    try {
      const handle = await onDisk(() => open(this.#pathOf(key), "r"));
      // Documented, but missing in the types of FileHandle.
      if (handle instanceof EventEmitter) handle.once("close", () => this.#release(file));
      const now = new Date();
      // For the order after a restart. A disk that can't be written can still be read.
      await handle.utimes(now, now).catch(() => {});
      return { handle, sizeBytes: file.sizeBytes, version: file.version };
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
  add(key: string, file: NewFile): void {
    this.#keep(key, { ...file, readers: 0, madeAt: this.#deps.clock.now(), isUsed: false });
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

  /**
   * Removes the longest unused files that nobody reads until the rest fits. The newest stays until somebody had it: those
   * who waited too long for it come back.
   */
  evict(): void {
    const newest = [...this.#kept.keys()].at(-1);
    for (const [key, { readers, isUsed }] of this.#kept) {
      if (this.totals.bytes <= this.#deps.maxBytes) return;
      if (readers === 0 && (isUsed || key !== newest)) this.#remove(key);
    }
  }

  /** Finds what an earlier run left: sealed files are kept, the rest goes. To be called before anything else. */
  async restore(): Promise<void> {
    await mkdir(this.#deps.directory, { recursive: true, mode: 0o700 });
    const found: { key: string; sizeBytes: number; usedAt: number }[] = [];
    for (const name of await readdir(this.#deps.directory)) {
      const { key, rest = "" } = OWN_NAME.exec(name)?.groups ?? {};
      const isFinished = rest === this.#deps.ending;
      if (key === undefined || !(isFinished || rest.endsWith(".part"))) continue;
      const path = join(this.#deps.directory, name);
      const { mode, size, mtimeMs } = await stat(path);
      const isSealed = isFinished && (mode & OWNER_MAY_WRITE) === 0;
      if (isSealed) found.push({ key, sizeBytes: size, usedAt: mtimeMs });
      else await rm(path, { force: true });
    }
    found.sort((one, other) => one.usedAt - other.usedAt);
    const madeAt = this.#deps.clock.now();
    for (const { key, sizeBytes } of found) this.#keep(key, { sizeBytes, readers: 0, madeAt, isUsed: true });
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
    const file = this.#kept.get(key);
    if (file === undefined) return;
    this.#bytes -= file.sizeBytes;
    this.#kept.delete(key);
  }

  #release(file: KeptFile): void {
    file.readers--;
    if (file.readers === 0) this.#nameless.delete(file);
    this.evict();
  }

  /** One after the other, and never in the way of a newer file of the same key. */
  #remove(key: string): void {
    const file = this.#kept.get(key);
    if (file !== undefined && file.readers > 0) this.#nameless.add(file);
    this.#forget(key);
    const remove = () => rm(this.#pathOf(key), { force: true });
    // What can't be removed now is found by the next start.
    this.#removals = this.#removals.then(remove).catch(() => {});
  }

  #pathOf(key: string): string {
    return join(this.#deps.directory, `${key}.${this.#deps.ending}`);
  }
}
