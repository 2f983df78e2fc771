/** A file under a name of its own, replaced as a whole: in the data folder, or in the bucket for all instances. */
import { readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { ifExists } from "../../lib/node-errors.ts";
import { syncFolder, writeDurably } from "./file-store-disk.ts";

export interface NamedFileFacts {
  /** Absolute path, or the address in the bucket. */
  path: string;
  sizeBytes: number;
  /** Epoch milliseconds. */
  modifiedAt: number;
}

export interface NamedFile {
  /** Absolute path in the data folder. */
  readonly path: string;
  /** Undefined if the file doesn't exist. */
  readFacts(): Promise<NamedFileFacts | undefined>;
  read(): Promise<Buffer>;
  /**
   * The old file is unchanged until the new one is complete.
   * @param modifiedAt epoch milliseconds; now unless given
   */
  write(bytes: Buffer, modifiedAt: number | undefined): Promise<void>;
}

/** The path of a file that isn't complete; a crash can leave it behind. */
export const unfinished = (path: string): string => `${path}.part`;

export class FolderFile implements NamedFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  async readFacts(): Promise<NamedFileFacts | undefined> {
    const { path } = this;
    const stats = await ifExists(stat(path));
    if (!stats || stats.isDirectory()) return undefined;
    return { path, sizeBytes: stats.size, modifiedAt: Math.floor(stats.mtimeMs) };
  }

  read(): Promise<Buffer> {
    return readFile(this.path);
  }

  async write(bytes: Buffer, modifiedAt: number | undefined): Promise<void> {
    const part = unfinished(this.path);
    try {
      await writeDurably(part, bytes, "w");
      if (modifiedAt !== undefined) await utimes(part, modifiedAt / 1000, modifiedAt / 1000);
      await rename(part, this.path);
      await syncFolder(dirname(this.path));
    } catch (error) {
      // What can't be deleted now is deleted at the next start.
      await rm(part, { force: true }).catch(() => {});
      throw error;
    }
  }
}
