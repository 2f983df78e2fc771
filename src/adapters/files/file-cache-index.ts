/** The index of a file cache: its finished files, their order of use, and their eviction. */
import { EventEmitter } from "node:events";
import { chmod, type FileHandle, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ifExists, isMissing } from "../../lib/node-errors.ts";
import type { Clock } from "../system.ts";
import type { CachedFile, KeptTotals } from "./file-cache.ts";
import { listNames, type Modes, makeCacheFolder, PRIVATE_MODES } from "./file-store-disk.ts";
import type { ProxiedPaths } from "./proxied-paths.ts";
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
  /** Epoch milliseconds; undefined until the file was opened. */
  modifiedAt?: number;
}

const READ_ONLY = 0o444;
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
  modes?: Modes | undefined;
  proxied?: ProxiedPaths | undefined;
}

/** Decisions about files are made in memory and synchronously, so that they can't conflict; the disk follows. */
export class FileCacheIndex {
  readonly #deps: FileCacheIndexOptions;
  readonly #modes: Modes;
  /** Ordered by use, least recently used first: a Map keeps the order of insertion. */
  readonly #kept = new Map<string, KeptFile>();
  /** Total size of the kept files. */
  #bytes = 0;
  /** Files that were removed from the folder while they are open: they use space but can't be found. */
  readonly #nameless = new Set<KeptFile>();
  #removals: Promise<void> = Promise.resolve();

  constructor(deps: FileCacheIndexOptions) {
    this.#deps = deps;
    this.#modes = deps.modes ?? PRIVATE_MODES;
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
    const { sizeBytes, version } = file;
    const proxyAddress = this.#deps.proxied?.name(this.#pathOf(key));
    try {
      const handle = await onDisk(() => open(this.#pathOf(key), "r"));
      // Documented, but missing in the type of FileHandle.
      if (handle instanceof EventEmitter) handle.once("close", () => this.#release(file));
      await recordUse(handle, file);
      return { handle, sizeBytes, version, proxyAddress };
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
      await handle.chmod(this.#modes.file & READ_ONLY);
    } catch {
      // Evicted since, or the disk fails: it must not be served again.
      this.#remove(key);
    }
  }

  /**
   * Removes the least recently used files that aren't open, here or soon at a proxy, until the rest fits. The newest
   * file stays until it has been opened: clients whose wait timed out request it again.
   */
  evict(): void {
    // Every handle that is closed comes here: the keys are copied only if there is something to evict.
    if (this.totals.bytes <= this.#deps.maxBytes) return;
    const newest = [...this.#kept.keys()].at(-1);
    for (const [key, { readers, isUsed }] of this.#kept) {
      if (this.totals.bytes <= this.#deps.maxBytes) return;
      if (readers === 0 && (isUsed || key !== newest) && !this.#isNamed(key)) this.#remove(key);
    }
  }

  /** Removes all finished files in the folder but those of these keys, also if another process has built them. */
  async keepOnly(keys: ReadonlySet<string>): Promise<void> {
    for (const name of await listNames(this.#deps.directory)) {
      const { key, rest } = OWN_NAME.exec(name)?.groups ?? {};
      if (key === undefined || rest !== this.#deps.ending || keys.has(key)) continue;
      if (this.#isNamed(key)) await this.#unseal(key);
      else this.#remove(key);
    }
    await this.#removals;
  }

  #isNamed(key: string): boolean {
    return this.#deps.proxied?.isNamed(this.#pathOf(key)) ?? false;
  }

  /** The file isn't found any more; the next build of its key overwrites it, and the next start deletes it. */
  async #unseal(key: string): Promise<void> {
    this.#forget(key);
    await ifExists(chmod(this.#pathOf(key), this.#modes.file));
  }

  /** Keeps the sealed files of an earlier run and deletes all others. Call it before anything else. */
  async restore(): Promise<void> {
    await makeCacheFolder(this.#deps.directory, this.#modes.folder);
    const found: { key: string; sizeBytes: number; usedAt: number; modifiedAt: number }[] = [];
    for (const name of await readdir(this.#deps.directory)) {
      const { key, rest = "" } = OWN_NAME.exec(name)?.groups ?? {};
      const isFinished = rest === this.#deps.ending;
      if (key === undefined || !(isFinished || rest.endsWith(".part"))) continue;
      const path = join(this.#deps.directory, name);
      const { mode, size: sizeBytes, atimeMs: usedAt, mtimeMs: modifiedAt } = await stat(path);
      const isSealed = isFinished && (mode & OWNER_MAY_WRITE) === 0;
      if (isSealed) found.push({ key, sizeBytes, usedAt, modifiedAt });
      else await rm(path, { force: true });
    }
    found.sort((one, other) => one.usedAt - other.usedAt);
    const madeAt = this.#deps.clock.now();
    for (const { key, sizeBytes, modifiedAt } of found)
      this.#keep(key, { sizeBytes, readers: 0, madeAt, isUsed: true, modifiedAt: Math.floor(modifiedAt) });
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

/**
 * Records the use for the order after a restart, as the time of the last access. That of the last change stays: a proxy
 * makes the entity tag of it. Files on a read-only disk can still be read.
 */
async function recordUse(handle: FileHandle, file: KeptFile): Promise<void> {
  try {
    file.modifiedAt ??= Math.floor((await handle.stat()).mtimeMs);
    await handle.utimes(new Date(), file.modifiedAt / 1000);
  } catch {
    // The order is only a guess then.
  }
}
