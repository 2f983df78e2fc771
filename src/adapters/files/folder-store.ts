/** The file store in a folder on a local disk. */
import { lstat, opendir, readdir, readFile, rename, rm, statfs, unlink, utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { notFound } from "../../errors.ts";
import { ifExists, isMissing } from "../../lib/node-errors.ts";
import {
  assertSha256,
  type FileStore,
  isSha256,
  type OpenedBlob,
  type ReceivedFile,
  type ReceiveOptions,
  type SetAsideBlob,
  type StoredBlob,
} from "./file-store.ts";
import {
  createInFolder,
  listNames,
  type Modes,
  makeFolder,
  openBlob,
  PRIVATE_MODES,
  readSize,
  syncFolder,
} from "./file-store-disk.ts";
import { receiveInto } from "./file-store-receive.ts";
import { FolderFile } from "./named-file.ts";
import type { ProxiedPaths } from "./proxied-paths.ts";
import { onDisk, readFailureOf } from "./storage-errors.ts";

/** Kept free of what can wait: the smaller of the two. */
const RESERVED_BYTES = 1024 ** 3;
const RESERVED_PART = 0.05;

interface FolderStoreDeps {
  /**
   * Absolute path. Stored bytes are in `<directory>/ab/<sha256>`, incomplete ones in `<directory>/tmp/<id>`, and those
   * that are set aside in `<directory>/removed/<sha256>`, with the time as that of their last modification. The id of
   * the service is in `<directory>/service-id`, the mark of the last sweep in `<directory>/removed-sweep`.
   */
  directory: string;
  newId: () => string;
  /** Private unless given. */
  modes?: Modes | undefined;
  /** Undefined if no proxy sends the bytes. */
  proxied?: ProxiedPaths | undefined;
}

/** Only one process at a time may use the directory: a start deletes the incomplete bytes that it finds. */
export class FolderStore implements FileStore {
  readonly #deps: FolderStoreDeps;
  readonly #modes: Modes;
  readonly #temporary: string;
  readonly #removed: string;

  constructor(deps: FolderStoreDeps) {
    this.#deps = deps;
    this.#modes = deps.modes ?? PRIVATE_MODES;
    this.#temporary = join(deps.directory, "tmp");
    this.#removed = join(deps.directory, "removed");
  }

  get name(): string {
    return this.#deps.directory;
  }

  readServiceId(): Promise<string | undefined> {
    return this.#readNote(SERVICE_ID);
  }

  recordServiceId(id: string): Promise<void> {
    return this.#recordNote(SERVICE_ID, id);
  }

  readSweepMark(): Promise<string | undefined> {
    return this.#readNote(LAST_SWEEP);
  }

  recordSweepMark(mark: string): Promise<void> {
    return this.#recordNote(LAST_SWEEP, mark);
  }

  #readNote(name: string): Promise<string | undefined> {
    const path = join(this.#deps.directory, name);
    return onDisk(async () => (await ifExists(readFile(path, "utf8")))?.trim());
  }

  async #recordNote(name: string, value: string): Promise<void> {
    const path = join(this.#deps.directory, name);
    await onDisk(async () => {
      await makeFolder(dirname(path), this.#modes.folder);
      await new FolderFile(path).write(Buffer.from(`${value}\n`), undefined);
    });
  }

  async receive(source: AsyncIterable<Buffer> | Readable, options: ReceiveOptions): Promise<ReceivedFile> {
    return receiveInto(join(this.#temporary, this.#deps.newId()), source, options, this.#modes);
  }

  async keep(received: ReceivedFile): Promise<StoredBlob> {
    const { sha256, sizeBytes } = received;
    const path = this.#pathOf(sha256);
    await onDisk(async () => {
      // Also over equal bytes: a disk can have damaged those that are there.
      await createInFolder(path, this.#modes.folder, () => rename(join(this.#temporary, received.id), path));
      // Also if no folder was created here: the caller that did so may not have synced it yet, because of a crash or
      // because it is still running.
      await Promise.all([syncFolder(dirname(path)), syncFolder(this.#deps.directory)]);
    });
    return { sha256, sizeBytes };
  }

  isShort(): Promise<boolean> {
    return onDisk(async () => {
      const { bavail, blocks, bsize } = await statfs(this.#deps.directory);
      return bavail * bsize < Math.min(RESERVED_BYTES, blocks * bsize * RESERVED_PART);
    });
  }

  async open(sha256: string): Promise<OpenedBlob> {
    const path = this.#pathOf(sha256);
    try {
      return await onDisk(() => openBlob(path));
    } catch (error) {
      if (!isMissing(error)) throw error;
      throw notFound("file_unavailable", "The file is not available.", { cause: error });
    }
  }

  async has(sha256: string): Promise<boolean> {
    const path = this.#pathOf(sha256);
    return onDisk(async () => (await readSize(path)) !== undefined);
  }

  nameToProxy(sha256: string): string | undefined {
    return this.#deps.proxied?.name(this.#pathOf(sha256));
  }

  isNamed(sha256: string): boolean {
    return this.#deps.proxied?.isNamed(this.#pathOf(sha256)) ?? false;
  }

  async remove(sha256: string): Promise<void> {
    const path = this.#pathOf(sha256);
    await onDisk(() => ifExists(unlink(path)));
  }

  async setAside(sha256: string, now: number): Promise<void> {
    const path = this.#pathOf(sha256);
    await onDisk(async () => {
      if ((await readSize(path)) === undefined) return;
      await makeFolder(this.#removed, this.#modes.folder);
      await utimes(path, now / 1000, now / 1000);
      await this.#rename(path, this.#setAsidePathOf(sha256));
    });
  }

  async isSetAside(sha256: string): Promise<boolean> {
    return onDisk(async () => (await readSize(this.#setAsidePathOf(sha256))) !== undefined);
  }

  async bringBack(sha256: string): Promise<void> {
    if (!(await this.isSetAside(sha256))) return;
    if (await this.has(sha256)) return this.removeSetAside(sha256);
    const path = this.#pathOf(sha256);
    await onDisk(async () => {
      await makeFolder(dirname(path), this.#modes.folder);
      await this.#rename(this.#setAsidePathOf(sha256), path);
    });
  }

  /** Does nothing if another process has moved the file meanwhile, such as `bookdist sweep`. */
  async #rename(from: string, to: string): Promise<void> {
    await ifExists(rename(from, to));
    await Promise.all([syncFolder(dirname(to)), syncFolder(dirname(from))]);
  }

  async removeSetAside(sha256: string): Promise<void> {
    await onDisk(() => ifExists(unlink(this.#setAsidePathOf(sha256))));
  }

  async *listSetAside(): AsyncGenerator<SetAsideBlob> {
    for await (const { name } of (await ifExists(opendir(this.#removed))) ?? []) {
      if (!isSha256(name)) continue;
      const stats = await ifExists(lstat(join(this.#removed, name)));
      if (!stats?.isFile()) continue;
      yield { sha256: name, sizeBytes: stats.size, setAsideAt: Math.floor(stats.mtimeMs) };
    }
  }

  async *list(unreadable?: (path: string, reason: string) => void): AsyncGenerator<StoredBlob> {
    const readUnlessLost = async <T>(
      path: string,
      work: (path: string) => Promise<T>,
    ): Promise<T | undefined> => {
      try {
        return await work(path);
      } catch (error) {
        const reason = readFailureOf(error);
        if (unreadable === undefined || reason === undefined) throw error;
        unreadable(path, reason);
        return undefined;
      }
    };
    for (const shard of (await readUnlessLost(this.#deps.directory, listNames)) ?? []) {
      if (!SHARD.test(shard)) continue;
      for (const name of (await readUnlessLost(join(this.#deps.directory, shard), listNames)) ?? []) {
        if (!isSha256(name) || !name.startsWith(shard)) continue;
        const sizeBytes = await readUnlessLost(join(this.#deps.directory, shard, name), readSize);
        if (sizeBytes !== undefined) yield { sha256: name, sizeBytes };
      }
    }
  }

  /** The first path in the folder that the store didn't create. */
  async findUnexpected(): Promise<string | undefined> {
    for (const shard of await listNames(this.#deps.directory)) {
      const isShard = SHARD.test(shard);
      if (!isShard && shard !== basename(this.#temporary)) return shard;
      if ((await readSize(join(this.#deps.directory, shard))) !== undefined) return shard;
      for (const name of await listNames(join(this.#deps.directory, shard))) {
        const isKept = isShard && isSha256(name) && name.startsWith(shard);
        if (!isKept || (await readSize(join(this.#deps.directory, shard, name))) === undefined) return name;
      }
    }
    return undefined;
  }

  async sweepTemporary(): Promise<number> {
    await makeFolder(this.#temporary, this.#modes.folder);
    const leftovers = await readdir(this.#temporary);
    for (const name of leftovers) await rm(join(this.#temporary, name), { recursive: true, force: true });
    return leftovers.length;
  }

  #setAsidePathOf(sha256: string): string {
    assertSha256(sha256);
    return join(this.#removed, sha256);
  }

  #pathOf(sha256: string): string {
    assertSha256(sha256);
    return join(this.#deps.directory, sha256.slice(0, 2), sha256);
  }
}

const SERVICE_ID = "service-id";
const LAST_SWEEP = "removed-sweep";
const SHARD = /^[0-9a-f]{2}$/;
