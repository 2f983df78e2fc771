/** Restores a backup into an empty data folder. */
import { mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { namesIn, syncFolder } from "../adapters/files/file-store-disk.ts";
import { onDisk } from "../adapters/files/storage-errors.ts";
import type { SchemaObject } from "../db/soundness.ts";
import { OperatorError } from "../errors.ts";
import { DATABASE_FILE, LOCK_FILE, RESTORE_FOLDER } from "../lib/data-dir-names.ts";
import type { BackupManifest } from "../schemas/system.schemas.ts";
import { type BackupFolder, damaged } from "./backup-folder.ts";
import { BytesCopy } from "./bytes-copy.ts";
import type { Inside, Progress } from "./verification.ts";

/** What an empty data folder may contain: the lock of the restore itself, and what a new file system contains. */
const IGNORED = [LOCK_FILE, `${LOCK_FILE}-journal`, "lost+found"];

interface RestoreDeps {
  /** Absolute. */
  dataDir: string;
  /** A data folder as a backup folder: its files are in the same places. */
  folderAt: (path: string) => BackupFolder;
  open: (folder: BackupFolder) => Inside;
  progress: Progress;
}

/** The caller holds the lock on the data folder. */
export class RestoreService {
  readonly #deps: RestoreDeps;

  constructor(deps: RestoreDeps) {
    this.#deps = deps;
  }

  /** @throws OperatorError when the data folder contains anything */
  async assertEmpty(): Promise<void> {
    const { dataDir } = this.#deps;
    const names = await namesIn(dataDir);
    if (names.every((name) => IGNORED.includes(name))) return;
    throw new OperatorError(
      `${dataDir} isn't empty (DATA_DIR). A restore needs an empty or a new folder: move this one away, or set DATA_DIR to another one.`,
    );
  }

  /**
   * Copies into a folder inside the data folder and moves the result to its place, the database last. While that folder
   * exists, no server starts.
   * @param manifest of the verified backup; it is checked again during the copy
   * @returns the first tables and indexes of the restored database that this service didn't create
   */
  async restore(backup: BackupFolder, manifest: BackupManifest): Promise<readonly SchemaObject[]> {
    const { dataDir, folderAt, progress } = this.#deps;
    const partial = join(dataDir, RESTORE_FOLDER);
    await onDisk(() => mkdir(partial, { mode: 0o700 }));
    const foreignData = await this.#copy(backup, manifest, folderAt(partial)).catch(
      async (error: unknown) => {
        // The first error is the one to report.
        await rm(partial, { recursive: true, force: true }).catch(() => {});
        throw error;
      },
    );
    await onDisk(() => this.#moveFrom(partial));
    progress.end();
    return foreignData;
  }

  /** @returns the first foreign tables and indexes of the database */
  async #copy(
    from: BackupFolder,
    manifest: BackupManifest,
    to: BackupFolder,
  ): Promise<readonly SchemaObject[]> {
    const { open, progress } = this.#deps;
    progress.begin("Copying the database", 0, () => 0);
    for (const { name, sha256 } of [{ name: DATABASE_FILE, ...manifest.database }, ...manifest.favicons]) {
      const taken = await to.take(join(from.path, name), name);
      if (taken.sha256 !== sha256) throw damaged(`${name} has changed during the copy`);
    }
    const files = new BytesCopy({ from: from.store, to: to.store });
    const { file, rows, kept } = open(to);
    try {
      progress.begin("Copying files", await kept.countRows(), () => files.done);
      const [missing] = await files.copy(rows);
      if (missing) throw damaged(`${missing.name} is missing`);
      return file.foreignData();
    } finally {
      file.close();
    }
  }

  async #moveFrom(partial: string): Promise<void> {
    const { dataDir } = this.#deps;
    const names = await readdir(partial);
    for (const name of [...names.filter((each) => each !== DATABASE_FILE), DATABASE_FILE]) {
      await rename(join(partial, name), join(dataDir, name));
    }
    await syncFolder(dataDir);
    await rmdir(partial);
    await syncFolder(dataDir);
  }
}

/** @throws OperatorError for a folder in which a restore was interrupted: only part of the data is there */
export async function assertRestoreFinished(dataDir: string): Promise<void> {
  const names = await namesIn(dataDir);
  if (!names.includes(RESTORE_FOLDER)) return;
  throw new OperatorError(
    `A restore into ${dataDir} (DATA_DIR) is under way or was interrupted. If it was interrupted, empty the folder and restore again.`,
  );
}
