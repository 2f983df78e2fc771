/** Files on this machine: their paths, sizes, hashes and bytes. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readdir, readFile, stat } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Inspectable } from "../adapters/files/file-store.ts";
import { OperatorError } from "../errors.ts";
import { isMissing, refusalOf } from "../lib/node-errors.ts";

export interface LocalFile extends Inspectable {
  /** Absolute. */
  path: string;
  /** The last part of the path. */
  name: string;
  /** Below the imported folder, with slashes: for messages, and for what the folders say. */
  place: string;
}

/** A library with more files is imported in parts. */
const MAX_FILES = 100_000;

/**
 * All files below a folder, in the order of their paths. Leaves out hidden files and folders, and symbolic links to
 * folders, which can form circles.
 * @throws OperatorError if the folder can't be read, or has too many files
 */
export async function filesBelow(folder: string): Promise<LocalFile[]> {
  const files: LocalFile[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of await entriesOf(next)) {
      if (entry.name.startsWith(".")) continue;
      const path = join(next, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      else {
        const file = await localFile(folder, path);
        if (file) files.push(file);
      }
    }
    if (files.length > MAX_FILES) {
      throw new OperatorError(`${folder} has more than ${MAX_FILES} files. Import its folders one by one.`);
    }
  }
  return files.sort((one, other) => (one.place < other.place ? -1 : 1));
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const reason = refusalOf(error);
    if (reason === undefined) throw error;
    throw new OperatorError(`${folder} can't be read: ${reason}.`);
  }
}

/** Undefined if it doesn't exist or is no file. */
async function localFile(folder: string, path: string): Promise<LocalFile | undefined> {
  try {
    const status = await stat(path);
    if (!status.isFile()) return undefined;
    const place = relative(folder, path).split(sep).join("/");
    const name = place.slice(place.lastIndexOf("/") + 1);
    return { path, name, place, sizeBytes: status.size, open: () => open(path) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * The file that a catalogue names by a path below its folder; undefined if there is none. A path that leads out of the
 * folder counts as missing: a catalogue that somebody else made can't publish files of this machine.
 */
export async function fileBelow(folder: string, path: string): Promise<LocalFile | undefined> {
  const absolute = resolve(folder, path.replaceAll("\\", "/"));
  return absolute.startsWith(folder + sep) ? localFile(folder, absolute) : undefined;
}

/** In lower-case hexadecimal digits. */
export async function sha256Of({ path }: LocalFile): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** @throws OperatorError if the file can't be read, or has more bytes */
export async function readSmallFile(path: string, maxBytes: number): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size > maxBytes) throw new OperatorError(`${path} has more than ${maxBytes} bytes.`);
    return await readFile(path);
  } catch (error) {
    const reason = refusalOf(error);
    if (reason === undefined) throw error;
    throw new OperatorError(`${path} can't be read: ${reason}.`);
  }
}
