/** The few steps on the disk that the file store is made of. */
import { createHash } from "node:crypto";
import { type FileHandle, lstat, mkdir, open, readdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf, isMissing } from "../../lib/node-errors.ts";

/** A piece to read at a time: disks give a large one as fast as a small one. */
export const READ_BYTES = 1024 * 1024;

/**
 * Makes a folder and those above it, for the service's own user alone, durably; one that stands is fine.
 * Not by `recursive`: on a full or read-only disk Node then reports ENOENT in place of the true reason.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeOneFolder(path);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await makeOneFolder(path);
  }
}

async function makeOneFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Writes a folder's own entries to the disk: a new or renamed file outlives a power loss only after it. */
export async function syncFolder(path: string): Promise<void> {
  // Windows opens no folder for this, and needs none: NTFS keeps a journal of its entries.
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a whole file, for the service's own user alone; its entry in the folder is the caller's. */
export async function writeDurably(
  path: string,
  content: string | Uint8Array,
  flags: "w" | "wx",
): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The size of a regular file in bytes; undefined when there is none. */
export async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const stats = await lstat(path);
    return stats.isFile() ? stats.size : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The names in a folder; none when there is no such folder. */
export async function namesIn(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** A kept file, open for reading. Whoever opened it closes the handle. */
export interface OpenedBlob {
  handle: FileHandle;
  sizeBytes: number;
  /** Epoch milliseconds. */
  modifiedAt: number;
}

/** Of all bytes of an open file, in lower-case hexadecimal digits. */
export async function sha256Of(handle: FileHandle): Promise<string> {
  const hash = createHash("sha256");
  const bytes = handle.createReadStream({ start: 0, highWaterMark: READ_BYTES, autoClose: false });
  for await (const piece of bytes) hash.update(piece);
  return hash.digest("hex");
}

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

// What the file system says about a file.

/** Epoch milliseconds; undefined when there is no such file. */
export async function modifiedAt(path: string): Promise<number | undefined> {
  try {
    return Math.floor((await stat(path)).mtimeMs);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
