/** Creates and restores backups, in processes of their own that open the parts of the service that they need. */
import { join } from "node:path";
import type { FileStore } from "../../adapters/files/file-store.ts";
import { readModifiedAt } from "../../adapters/files/file-store-disk.ts";
import { FolderStore } from "../../adapters/files/folder-store.ts";
import { createIdSource, systemClock } from "../../adapters/system.ts";
import { lockDataDir } from "../../db/sqlite/data-dir.ts";
import { DatabaseFile } from "../../db/sqlite/database-file.ts";
import { DATABASE_FILE, FILES_FOLDER } from "../../lib/data-dir-names.ts";
import { DoctorRepository } from "../../repositories/doctor.repository.ts";
import { listBackedUpTables } from "../../repositories/kept-bytes.repository.ts";
import type { BackupManifest } from "../../schemas/system.schemas.ts";
import { type Progress, silent } from "../progress.ts";
import { BackupService, type MadeBackup } from "./backup.service.ts";
import { BackupDirectory } from "./backup-directory.ts";
import { BackupFolder } from "./backup-folder.ts";
import { assertEmpty, restore } from "./restore.service.ts";
import { verify } from "./verification.ts";

const newId = createIdSource(systemClock);

interface Making {
  dataDir: string;
  /** The folder of backups, absolute. */
  out: string;
  keep?: number | undefined;
  progress?: Progress;
  /** Where the files are; in the data folder unless given. */
  store?: FileStore;
}

/** Works whether or not the server is running. */
export async function makeBackup({ dataDir, out, keep, ...given }: Making): Promise<MadeBackup> {
  const { progress = silent, store = new FolderStore({ directory: join(dataDir, FILES_FOLDER), newId }) } =
    given;
  using live = new DatabaseFile(join(dataDir, DATABASE_FILE));
  const service = new BackupService({
    dataDir,
    live,
    rows: new DoctorRepository(live.db, listBackedUpTables(live.readMigrations())),
    store,
    directory: new BackupDirectory({ directory: out, newId }),
    clock: systemClock,
    progress,
  });
  return await service.make({ keep });
}

/** Throws if anything in the backup differs from what was written. */
export const verifyBackup = (path: string, progress = silent): Promise<BackupManifest> =>
  verify(new BackupFolder({ path, newId }), progress);

/**
 * Verifies the backup first.
 * @throws InstallationError if a server is running
 * @throws OperatorError if the data folder isn't empty
 */
export async function restoreBackup(dataDir: string, path: string, progress = silent) {
  const backup = new BackupFolder({ path, newId });
  const isThere = (await readModifiedAt(dataDir)) !== undefined;
  // A running server is reported immediately. A missing folder isn't created for a damaged backup.
  using _early = isThere ? lockDataDir(dataDir) : undefined;
  await assertEmpty(dataDir);
  const manifest = await verify(backup, progress);
  using _late = isThere ? undefined : lockDataDir(dataDir);
  return { manifest, foreignData: await restore({ dataDir, backup, manifest, newId, progress }) };
}
