/** Creates and restores backups, in processes of their own that open the parts of the service that they need. */
import { join } from "node:path";
import { FileStore } from "../adapters/files/file-store.ts";
import { modifiedAt } from "../adapters/files/file-store-disk.ts";
import { idsFrom, systemClock } from "../adapters/system.ts";
import { type DataDirLock, lockDataDir } from "../db/data-dir.ts";
import { DatabaseFile } from "../db/database-file.ts";
import { examineDatabase } from "../db/soundness.ts";
import { DATABASE_FILE, FILES_FOLDER } from "../lib/data-dir-names.ts";
import { DoctorRepository } from "../repositories/doctor.repository.ts";
import { FilesRepository } from "../repositories/files.repository.ts";
import { KeptBytesRepository } from "../repositories/kept-bytes.repository.ts";
import type { BackupManifest } from "../schemas/system.schemas.ts";
import { ByteChecks } from "../services/doctor/checks.ts";
import { StoredFiles } from "../services/files/stored-files.ts";
import { appVersion } from "../version.ts";
import { BackupService, type MadeBackup } from "./backup.service.ts";
import { BackupDirectory, noteBackup } from "./backup-directory.ts";
import { BackupFolder, faviconsIn } from "./backup-folder.ts";
import { RestoreService } from "./restore.service.ts";
import { type Inside, type Progress, silent, Verification } from "./verification.ts";

const clock = systemClock;
const newId = idsFrom(clock);

const folderAt = (path: string): BackupFolder => new BackupFolder({ path, newId });

function open({ database, store }: BackupFolder): Inside {
  const file = new DatabaseFile(database);
  const rows = new DoctorRepository(file.db);
  return {
    file,
    rows,
    examine: (limit) => examineDatabase(database, limit),
    kept: new KeptBytesRepository(file.db),
    bytes: new ByteChecks({ rows, store, files: new FilesRepository(file.db) }),
  };
}

interface Making {
  dataDir: string;
  /** The folder of backups, absolute. */
  out: string;
  keep?: number | undefined;
  progress?: Progress;
}

/** Works whether or not the server is running. */
export async function makeBackup({ dataDir, out, keep, progress = silent }: Making): Promise<MadeBackup> {
  const live = new DatabaseFile(join(dataDir, DATABASE_FILE));
  try {
    return await backupService(live, { dataDir, out, progress }).make({ keep });
  } finally {
    live.close();
  }
}

function backupService(live: DatabaseFile, { dataDir, out, progress = silent }: Making): BackupService {
  return new BackupService({
    live,
    rows: new DoctorRepository(live.db),
    kept: new KeptBytesRepository(live.db),
    store: new FileStore({ directory: join(dataDir, FILES_FOLDER), newId }),
    shelf: new BackupDirectory({ directory: out, newId }),
    verification: new Verification({ open, progress }),
    sweep,
    note: (made) => noteBackup(dataDir, made),
    async takeFavicons(folder) {
      const names = await faviconsIn(dataDir);
      return Promise.all(
        names.map(async (name) => ({ name, ...(await folder.take(join(dataDir, name), name)) })),
      );
    },
    appVersion,
    clock,
    progress,
  });
}

async function sweep({ database, store }: BackupFolder): Promise<void> {
  const file = new DatabaseFile(database);
  try {
    await new StoredFiles({ store, files: new FilesRepository(file.db) }).sweep();
  } finally {
    file.close();
  }
}

/** Throws if anything in the backup differs from what was written. */
export const verifyBackup = (path: string, progress = silent): Promise<BackupManifest> =>
  new Verification({ open, progress }).check(folderAt(path));

/**
 * Verifies the backup first.
 * @throws DataDirInUseError if a server is running
 * @throws OperatorError if the data folder isn't empty
 */
export async function restoreBackup(dataDir: string, path: string, progress = silent) {
  const service = new RestoreService({ dataDir, folderAt, open, progress });
  let lock: DataDirLock | undefined;
  try {
    // A running server is reported immediately. A missing folder isn't created for a damaged backup.
    if ((await modifiedAt(dataDir)) !== undefined) lock = lockDataDir(dataDir);
    await service.assertEmpty();
    const manifest = await verifyBackup(path, progress);
    lock ??= lockDataDir(dataDir);
    return { manifest, foreignData: await service.restore(folderAt(path), manifest) };
  } finally {
    lock?.release();
  }
}
