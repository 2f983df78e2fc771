/** Finds files with the same bytes. */
import { refusalOf } from "../../lib/node-errors.ts";
import { hashFile, type LocalFile, UnusableFileError } from "./local-files.ts";

/** For each file that has the bytes of another one, that other one: the first one by path. */
export async function findIdentical(files: readonly LocalFile[]): Promise<Map<LocalFile, LocalFile>> {
  const originals = new Map<LocalFile, LocalFile>();
  for (const sameSize of Map.groupBy(files, ({ sizeBytes }) => sizeBytes).values()) {
    if (sameSize.length === 1) continue;
    const byHash = new Map<string, LocalFile>();
    for (const file of sameSize.toSorted((one, other) => (one.place < other.place ? -1 : 1))) {
      const hash = await hashIfReadable(file);
      const original = hash === undefined ? undefined : byHash.get(hash);
      if (original) originals.set(file, original);
      else if (hash !== undefined) byHash.set(hash, file);
    }
  }
  return originals;
}

/** Undefined for a file that can't be read: the examination of its content reports that. */
export async function hashIfReadable(file: LocalFile): Promise<string | undefined> {
  try {
    return await hashFile(file);
  } catch (error) {
    if (error instanceof UnusableFileError || refusalOf(error) !== undefined) return undefined;
    throw error;
  }
}
