/** The file system operations of the store in a folder. */
import { createHash } from "node:crypto";
import { chmod, lstat, mkdir, open, readdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf, ifExists, isMissing } from "../../lib/node-errors.ts";
import type { ByteHandle, OpenedBlob } from "./file-store.ts";

/** Read size: disks read a large block about as fast as a small one. */
export const READ_BYTES = 1024 * 1024;

/** The modes of new files and folders. */
export interface Modes {
  file: number;
  folder: number;
}

/** Accessible only to the service's user. */
export const PRIVATE_MODES: Modes = { file: 0o600, folder: 0o700 };
/** Readable for the group of the service's user, too. */
export const GROUP_MODES: Modes = { file: 0o640, folder: 0o750 };

/** For a mode that the umask of the process, such as that of a systemd unit, may have reduced. */
export const exceedsUmask = (mode: number): boolean => (mode & 0o077) !== 0;

/**
 * Creates a folder and its parents durably, accessible only to the service's user unless another mode is given; an
 * existing folder is fine. Doesn't use `recursive`, because on a full or read-only disk Node then reports ENOENT instead
 * of the real reason.
 */
export async function makeFolder(path: string, mode = PRIVATE_MODES.folder): Promise<void> {
  try {
    await makeOneFolder(path, mode);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error;
    await makeFolder(dirname(path), mode);
    await makeOneFolder(path, mode);
  }
}

/** Creates a file in a folder, which is made only if it is missing: each further file costs one call less. */
export async function createInFolder<T>(path: string, mode: number, create: () => Promise<T>): Promise<T> {
  try {
    return await create();
  } catch (error) {
    if (!isMissing(error)) throw error;
    await makeFolder(dirname(path), mode);
    return await create();
  }
}

/** Like `makeFolder`, for what can be made again after a power loss. Fails if something else than a folder is there. */
export async function makeCacheFolder(path: string, mode: number): Promise<void> {
  const created = await mkdir(path, { recursive: true, mode });
  if (created !== undefined && exceedsUmask(mode)) await chmod(path, mode);
}

async function makeOneFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    throw error;
  }
  if (exceedsUmask(mode)) await chmod(path, mode);
  await syncFolder(dirname(path));
}

/** Syncs a folder's entries to disk: only then does a new or renamed file survive a power loss. */
export async function syncFolder(path: string): Promise<void> {
  // Windows can't open a folder for this and doesn't need it: NTFS journals its entries.
  if (process.platform === "win32") return;
  await using handle = await open(path, "r");
  await handle.sync();
}

/** Writes a whole file and syncs it, accessible only to the service's user; the caller syncs the folder. */
export async function writeDurably(
  path: string,
  content: string | Uint8Array,
  flags: "w" | "wx",
): Promise<void> {
  await using file = await open(path, flags, PRIVATE_MODES.file);
  await file.writeFile(content);
  await file.sync();
}

/** The size of a regular file in bytes; undefined if it doesn't exist. */
export async function readSize(path: string): Promise<number | undefined> {
  const stats = await ifExists(lstat(path));
  return stats?.isFile() ? stats.size : undefined;
}

/** The names in a folder; empty if the folder doesn't exist. */
export const listNames = async (path: string): Promise<string[]> => (await ifExists(readdir(path))) ?? [];

/** Of all bytes, in lower-case hexadecimal digits. @param signal ends it between two pieces */
export async function hashFile(handle: ByteHandle, signal?: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  const bytes = handle.createReadStream({ start: 0, highWaterMark: READ_BYTES, autoClose: false });
  for await (const piece of bytes) {
    signal?.throwIfAborted();
    hash.update(piece);
  }
  return hash.digest("hex");
}

/** The caller closes the handle. */
export async function openBlob(path: string): Promise<OpenedBlob> {
  const handle = await open(path, "r");
  try {
    const { size, mtimeMs } = await handle.stat();
    return { handle, sizeBytes: size, modifiedAt: Math.floor(mtimeMs) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Epoch milliseconds; undefined if the file doesn't exist. */
export async function readModifiedAt(path: string): Promise<number | undefined> {
  const stats = await ifExists(stat(path));
  return stats && Math.floor(stats.mtimeMs);
}
