/** Files on this machine: their paths, sizes, hashes and bytes. Nothing outside of the imported folder is read. */
import { createHash } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, readdir, readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { readBytes } from "../../adapters/file-types/zip.ts";
import type { Inspectable } from "../../adapters/files/file-store.ts";
import { OperatorError } from "../../errors.ts";
import { isHidden } from "../../lib/hidden-names.ts";
import { codeOf, isMissing, refusalOf } from "../../lib/node-errors.ts";
import type { LeftOutCode } from "../../schemas/imports.schemas.ts";
import type { FileCorrection } from "./file-correction.ts";

export interface LocalFile extends Inspectable {
  /** Absolute. */
  path: string;
  /** The last part of the path. */
  name: string;
  /** Below the imported folder, with slashes: for messages, and for what the folders say. */
  place: string;
  /** Of the file that was checked: `open` opens no other. */
  identity: FileIdentity;
  /** In lower-case hexadecimal digits, if it is known. */
  sha256?: string;
  correction?: FileCorrection | undefined;
}

interface FileIdentity {
  device: number;
  inode: number;
}

/** A file that can't be imported, and why, as a sentence. */
export class UnusableFileError extends Error {
  readonly code: LeftOutCode | undefined;

  constructor(reason: string, code?: LeftOutCode) {
    super(reason);
    this.code = code;
  }
}

/** Receives the place of a file that can't be imported, and why. */
export type Reject = (place: string, reason: string) => void;

/** The result of work on a file; undefined if `reject` has received the file. */
export async function runOrReject<T>(
  place: string,
  work: Promise<T>,
  reject: Reject,
): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof UnusableFileError)) throw error;
    reject(place, error.message);
    return undefined;
  }
}

const LINK = "It is a link; links aren't followed.";
export const MISSING = "There is no such file in the folder of the catalogue.";
const REPLACED = "It was replaced during the import. Run the import again.";

/** A library with more files is imported in parts. */
const MAX_FILES = 100_000;

/**
 * The folder without links: the one that the operator names can be a link itself.
 * @throws OperatorError if it can't be read
 */
export const resolveFolder = (folder: string): Promise<string> => explainRefusal(folder, realpath(folder));

/**
 * All files below a folder, in the order of their paths. Leaves out hidden files and folders, and everything that is
 * neither file nor folder.
 * @param folder without links
 * @param reject receives each link, which could lead out of the folder or form a circle, and each file that can't be read
 * @throws OperatorError if the folder can't be read, or has too many files
 */
export async function listFilesBelow(folder: string, reject: Reject): Promise<LocalFile[]> {
  const files: LocalFile[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of await explainRefusal(next, readdir(next, { withFileTypes: true }))) {
      if (isHidden(entry.name)) continue;
      const path = join(next, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      else {
        const file = await runOrReject(placeBelow(folder, path), findLocalFile(folder, path), reject);
        if (file) files.push(file);
      }
    }
    if (files.length > MAX_FILES) {
      throw new OperatorError(`${folder} has more than ${MAX_FILES} files. Import its folders one by one.`);
    }
  }
  return files.sort((one, other) => (one.place < other.place ? -1 : 1));
}

/**
 * The file that a catalogue names by a path below its folder. A path that leads out of the folder counts as missing: a
 * foreign catalogue can't publish files of this machine.
 * @param folder without links
 * @throws UnusableFileError if there is none, or the path contains a link
 */
export async function findFileBelow(folder: string, path: string): Promise<LocalFile> {
  const absolute = resolve(folder, path.replaceAll("\\", "/"));
  const isBelow = absolute.startsWith(join(folder, sep)) && !absolute.includes("\0");
  if (!isBelow) throw new UnusableFileError(MISSING);
  const folders: string[] = [];
  for (let above = dirname(absolute); above !== folder; above = dirname(above)) folders.unshift(above);
  for (const each of folders) await readStatus(each);
  const file = await findLocalFile(folder, absolute);
  if (!file) throw new UnusableFileError(MISSING);
  return file;
}

/**
 * Undefined if it doesn't exist or is no file.
 * @throws UnusableFileError if it is a link, or can't be accessed
 */
async function findLocalFile(folder: string, path: string): Promise<LocalFile | undefined> {
  const status = await readStatus(path);
  if (!status?.isFile()) return undefined;
  const place = placeBelow(folder, path);
  const name = place.slice(place.lastIndexOf("/") + 1);
  const identity = identityOf(status);
  return { path, name, place, identity, sizeBytes: status.size, open: () => openChecked(path, identity) };
}

const placeBelow = (folder: string, path: string): string => relative(folder, path).split(sep).join("/");

/** Of a file or folder that is no link; undefined if it doesn't exist. */
async function readStatus(path: string): Promise<Stats | undefined> {
  try {
    const status = await lstat(path);
    if (status.isSymbolicLink()) throw new UnusableFileError(LINK);
    return status;
  } catch (error) {
    if (isMissing(error)) return undefined;
    const reason = refusalOf(error);
    if (reason === undefined) throw error;
    throw new UnusableFileError(`It can't be read: ${reason}.`);
  }
}

const identityOf = ({ dev, ino }: Stats): FileIdentity => ({ device: dev, inode: ino });

/**
 * Opens a file only if it is the one that was checked: meanwhile its path can have become a link. Nothing waits for a
 * pipe.
 * @throws UnusableFileError
 */
export async function openChecked(path: string, { device, inode }: FileIdentity): Promise<FileHandle> {
  const handle = await openWithoutLink(path);
  const { dev, ino } = await handle.stat();
  // Windows reports a file's device in two ways.
  if (ino === inode && (dev === device || process.platform === "win32")) return handle;
  await handle.close();
  throw new UnusableFileError(REPLACED);
}

/** Windows has neither flag; there, they are undefined. */
async function openWithoutLink(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === "ELOOP") throw new UnusableFileError(REPLACED);
    throw error;
  }
}

/** In lower-case hexadecimal digits. */
export async function hashFile(file: LocalFile): Promise<string> {
  const known = file.sha256 ?? hashes.get(file);
  if (known !== undefined) return known;
  const hash = createHash("sha256");
  await using handle = await file.open();
  await pipeline(handle.createReadStream({ autoClose: false }), hash);
  const sha256 = hash.digest("hex");
  hashes.set(file, sha256);
  return sha256;
}

/** A file is read once, also if it is compared with several others. */
const hashes = new WeakMap<LocalFile, string>();

/** @throws UnusableFileError if the file has more bytes, or was replaced */
export async function readSmallFile(file: LocalFile, maxBytes: number): Promise<Buffer> {
  if (file.sizeBytes > maxBytes) throw new UnusableFileError(`It has more than ${maxBytes} bytes.`);
  await using handle = await file.open();
  return await readBytes(handle, 0, file.sizeBytes);
}

/**
 * A file that the operator names, which can be a link.
 * @throws OperatorError if it can't be read, or has more bytes
 */
export async function readNamedFile(path: string, maxBytes: number): Promise<Buffer> {
  const { size } = await explainRefusal(path, stat(path));
  if (size > maxBytes) throw new OperatorError(`${path} has more than ${maxBytes} bytes.`);
  return explainRefusal(path, readFile(path));
}

async function explainRefusal<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const reason = refusalOf(error);
    if (reason === undefined) throw error;
    throw new OperatorError(`${path} can't be read: ${reason}.`);
  }
}

/** For a file without which nothing can be imported. @throws OperatorError if it is unusable */
export async function explainUnusable<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof UnusableFileError)) throw error;
    throw new OperatorError(`${path} can't be read. ${error.message}`);
  }
}
