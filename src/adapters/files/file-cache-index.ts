/** The index of a file cache: its finished files, their order of use, and their eviction. */
import { EventEmitter } from "node:events";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../../lib/node-errors.ts";
import type { Clock } from "../system.ts";
import type { CachedFile, KeptTotals } from "./file-cache.ts";
import { listNames } from "./file-store-disk.ts";
import { onDisk } from "./storage-errors.ts";

interface NewFile {
  sizeBytes: number;
  /** Set together with `keepMs`, the milliseconds after which the file expires. */
  version?: string | undefined;
  keepMs?: number | undefined;
}

interface KeptFile extends NewFile {
  /** Number of open handles. Removing an open file frees no space, so it isn't evicted. */
  readers: number;
  madeAt: number;
  /** Whether the file was opened since it was built. */
  isUsed: boolean;
}

const READ_ONLY = 0o400;
const OWNER_MAY_WRITE = 0o200;
/**
 * A finished file is `<key>.<ending>`, one that is being built `<key>.<id>.part`; other files in the folder are left
 * alone.
 */
const OWN_NAME = /^(?<key>[0-9a-f]{64})\.(?<rest>[\w-]+(?:\.part)?)$/;

interface FileCacheIndexOptions {
  directory: string;
  ending: string;
  maxBytes: number;
  clock: Clock;
}

/** Decisions about files are made in memory and synchronously, so that they can't conflict; the disk follows. */
export class FileCacheIndex {
  readonly #deps: FileCacheIndexOptions;
  /** Ordered by use, least recently used first: a Map keeps the order of insertion. */
  readonly #kept = new Map<string, KeptFile>();
  /** Total size of the kept files. */
  #bytes = 0;
  /** Files that were removed from the folder while they are open: they use space but can't be found. */
  readonly #nameless = new Set<KeptFile>();
  #removals: Promise<void> = Promise.resolve();

  constructor(deps: FileCacheIndexOptions) {
    this.#deps = deps;
  }

  get totals(): KeptTotals {
    return { files: this.#kept.size + this.#nameless.size, bytes: this.#bytes + this.#namelessBytes };
  }

  /** Whether removed but open files use all the space, so that no eviction can make room. */
  get isFull(): boolean {
    return this.#namelessBytes > 0 && this.#namelessBytes >= this.#deps.maxBytes;
  }

  get #namelessBytes(): number {
    return [...this.#nameless].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  }

  /** False also for an expired file, which is removed now. */
  has(key: string): boolean {
    const file = this.#kept.get(key);
    if (file === undefined) return false;
    const age = this.#deps.clock.now() - file.madeAt;
    // A negative age means that the clock was set back and the real age is unknown.
    if (file.keepMs === undefined || (age >= 0 && age < file.keepMs)) return true;
    this.#remove(key);
    return false;
  }

  /** `undefined` if the file isn't cached or was deleted by another process. It can't be evicted after this call. */
  async open(key: string): Promise<CachedFile | undefined> {
    const file = this.#kept.get(key);
    if (file === undefined) return undefined;
    this.#keep(key, file);
    file.readers++;
    file.isUsed = true;
    try {
      const handle = await onDisk(() => open(this.#pathOf(key), "r"));
      // Documented, but missing in the type of FileHandle.
      if (handle instanceof EventEmitter) handle.once("close", () => this.#release(file));
      const now = new Date();
      // Records the use for the order after a restart. Files on a read-only disk can still be read.
      await handle.utimes(now, now).catch(() => {});
      return { handle, sizeBytes: file.sizeBytes, version: file.version };
    } catch (error) {
      this.#release(file);
      if (!isMissing(error)) throw error;
      if (this.#kept.get(key) === file) this.#forget(key);
      return undefined;
    }
  }

  /** Moves a finished file to its place. It counts as cached after `add`. */
  async place(key: string, path: string): Promise<void> {
    await this.#removals;
    await rename(path, this.#pathOf(key));
  }

  /** Callers that need the file must open it before `evict` is called. */
  add(key: string, file: NewFile): void {
    this.#keep(key, { ...file, readers: 0, madeAt: this.#deps.clock.now(), isUsed: false });
  }

  /**
   * Syncs a file to disk and marks it read-only. `restore` accepts only sealed files, because a file that was merely
   * renamed may be truncated after a power loss. Callers needn't wait for it.
   */
  async seal(key: string): Promise<void> {
    try {
      await using handle = await open(this.#pathOf(key), "r+");
      await handle.datasync();
      await handle.chmod(READ_ONLY);
    } catch {
      // Evicted since, or the disk fails: it must not be served again.
      this.#remove(key);
    }
  }

  /**
   * Removes the least recently used files that aren't open until the rest fits. The newest file stays until it has been
   * opened: clients whose wait timed out request it again.
   */
  evict(): void {
    // Every handle that is closed comes here: the keys are copied only if there is something to evict.
    if (this.totals.bytes <= this.#deps.maxBytes) return;
    const newest = [...this.#kept.keys()].at(-1);
    for (const [key, { readers, isUsed }] of this.#kept) {
      if (this.totals.bytes <= this.#deps.maxBytes) return;
      if (readers === 0 && (isUsed || key !== newest)) this.#remove(key);
    }
  }

  /** Removes all finished files in the folder but those of these keys, also if another process has built them. */
  async keepOnly(keys: ReadonlySet<string>): Promise<void> {
    for (const name of await listNames(this.#deps.directory)) {
      const { key, rest } = OWN_NAME.exec(name)?.groups ?? {};
      if (key !== undefined && rest === this.#deps.ending && !keys.has(key)) this.#remove(key);
    }
    await this.#removals;
  }

  /** Keeps the sealed files of an earlier run and deletes all others. Call it before anything else. */
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

  /** Makes the file the most recently used one. */
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

  /** Removals run one after another, and never delete a newer file of the same key. */
  #remove(key: string): void {
    const file = this.#kept.get(key);
    if (file !== undefined && file.readers > 0) this.#nameless.add(file);
    this.#forget(key);
    const remove = () => rm(this.#pathOf(key), { force: true });
    // What can't be deleted now is deleted at the next start.
    this.#removals = this.#removals.then(remove).catch(() => {});
  }

  #pathOf(key: string): string {
    return join(this.#deps.directory, `${key}.${this.#deps.ending}`);
  }
}
