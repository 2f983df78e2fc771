/** Restores a backup into an empty data folder. */
import { mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { listNames, syncFolder } from "../../adapters/files/file-store-disk.ts";
import { onDisk } from "../../adapters/files/storage-errors.ts";
import { assertInstallation } from "../../db/assert-installation.ts";
import type { SchemaObject } from "../../db/soundness.ts";
import { renewRecord } from "../../db/sqlite/database-file.ts";
import { OperatorError } from "../../errors.ts";
import { DATABASE_FILE, LOCK_FILE, RESTORE_FOLDER } from "../../lib/data-dir-names.ts";
import type { BackupManifest } from "../../schemas/system.schemas.ts";
import type { Progress } from "../progress.ts";
import { BackupFolder, damaged } from "./backup-folder.ts";
import { BytesCopy } from "./bytes-copy.ts";
import { listChecksums, openInside } from "./verification.ts";

/** What an empty data folder may contain: the lock of the restore itself, and what a new file system contains. */
const IGNORED = [LOCK_FILE, `${LOCK_FILE}-journal`, "lost+found"];

/** @throws OperatorError when the data folder contains anything */
export async function assertEmpty(dataDir: string): Promise<void> {
  const names = await listNames(dataDir);
  if (names.every((name) => IGNORED.includes(name))) return;
  throw new OperatorError(
    `${dataDir} isn't empty (DATA_DIR). A restore needs an empty or a new folder: move this one away, or set DATA_DIR to another one.`,
  );
}

interface Restore {
  /** Absolute. The caller holds the lock on it. */
  dataDir: string;
  backup: BackupFolder;
  /** Of the verified backup; it is checked again during the copy. */
  manifest: BackupManifest;
  newId: () => string;
  progress: Progress;
}

/**
 * Copies into a folder inside the data folder and moves the result to its place, the database last. While that folder
 * exists, no server starts.
 * @returns the first tables and indexes of the restored database that this service didn't create
 */
export async function restore(given: Restore): Promise<readonly SchemaObject[]> {
  const { dataDir, progress, newId } = given;
  const path = join(dataDir, RESTORE_FOLDER);
  await onDisk(() => mkdir(path, { mode: 0o700 }));
  // Its files are in the same places as those of a backup.
  const copied = copy(given, new BackupFolder({ path, newId }));
  const foreignData = await copied.catch(async (error: unknown) => {
    // The first error is the one to report.
    await rm(path, { recursive: true, force: true }).catch(() => {});
    throw error;
  });
  await onDisk(() => moveFrom(path, dataDir));
  progress.end();
  return foreignData;
}

/** @returns the first foreign tables and indexes of the database */
async function copy(
  { backup, manifest, progress, newId }: Restore,
  to: BackupFolder,
): Promise<readonly SchemaObject[]> {
  progress.begin("Copying the database", 0, () => 0);
  for (const { name, sha256 } of listChecksums(manifest)) {
    const taken = await to.take(join(backup.path, name), name);
    if (taken.sha256 !== sha256) throw damaged(`${name} has changed during the copy`);
  }
  const files = new BytesCopy({ from: backup.store, to: to.store });
  const { rows, ...inside } = openInside(to);
  using file = inside.file;
  progress.begin("Copying files", await rows.countKept(), () => files.done);
  const [missing] = await files.copy(rows);
  if (missing) throw damaged(`${missing.name} is missing`);
  const foreignData = file.findForeignData();
  // Otherwise the service that made the backup could be started on the restored files, or the reverse.
  const serviceId = newId();
  if (renewRecord(to.database, { epoch: newId(), serviceId })) await to.store.recordServiceId(serviceId);
  return foreignData;
}

async function moveFrom(partial: string, dataDir: string): Promise<void> {
  const names = await readdir(partial);
  for (const name of [...names.filter((each) => each !== DATABASE_FILE), DATABASE_FILE]) {
    await rename(join(partial, name), join(dataDir, name));
  }
  await syncFolder(dataDir);
  await rmdir(partial);
  await syncFolder(dataDir);
}

/** @throws InstallationError for a folder in which a restore was interrupted: only part of the data is there */
export async function assertRestoreFinished(dataDir: string): Promise<void> {
  const names = await listNames(dataDir);
  assertInstallation({ restore_unfinished: names.includes(RESTORE_FOLDER) && { dataDir } });
}
