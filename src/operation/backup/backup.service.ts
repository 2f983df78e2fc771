/** Makes backups while the service runs: the database as it is at one moment, and all bytes that it names then. */
import { join } from "node:path";
import type { FileStore } from "../../adapters/files/file-store.ts";
import { noteBackup } from "../../adapters/last-backup.ts";
import type { Clock } from "../../adapters/system.ts";
import { findPending } from "../../db/migrations.ts";
import { DatabaseFile } from "../../db/sqlite/database-file.ts";
import { conflict } from "../../errors.ts";
import { DATABASE_FILE } from "../../lib/data-dir-names.ts";
import { isoTime } from "../../lib/time.ts";
import type { DoctorRepository } from "../../repositories/doctor.repository.ts";
import { KeptBytesRepository, listBackedUpTables } from "../../repositories/kept-bytes.repository.ts";
import { BACKUP_FORMAT, type BackupManifest } from "../../schemas/system.schemas.ts";
import { Service } from "../../services/shared/service.ts";
import { appVersion } from "../../version.ts";
import type { Progress } from "../progress.ts";
import type { BackupDirectory } from "./backup-directory.ts";
import { type BackupFolder, listOperatorFiles } from "./backup-folder.ts";
import { BytesCopy, type Missing } from "./bytes-copy.ts";
import { verify } from "./verification.ts";

/**
 * Each attempt fails only if a file that is newer than the previous attempt was deleted within its few milliseconds.
 */
const ATTEMPTS = 50;

interface BackupDeps {
  dataDir: string;
  live: DatabaseFile;
  rows: DoctorRepository;
  store: FileStore;
  directory: BackupDirectory;
  clock: Clock;
  progress: Progress;
}

export interface MadeBackup {
  path: string;
  manifest: BackupManifest;
  /** Older backups that were deleted. */
  removed: string[];
}

export class BackupService extends Service<BackupDeps> {
  /**
   * @param options.keep number of backups to keep in the folder, including this one; undefined: all
   * @throws 409 if another backup is running or the source is damaged; 507 if the disk is full; InstallationError
   */
  async make({ keep }: { keep: number | undefined }): Promise<MadeBackup> {
    const { dataDir, live, rows, directory, clock, progress } = this.deps;
    await findPending(live.readMigrations());
    return directory.runExclusively(async () => {
      await directory.assertRoom(live.measureBytes() + (await rows.sumKeptBytes()));
      const now = clock.now();
      const { path, verified: manifest } = await directory.add(now, async (folder) => {
        await this.#copy(folder);
        await deleteUnreferenced(folder);
        await folder.seal(await this.#describe(folder, now));
        return verify(folder, progress);
      });
      progress.end();
      await noteBackup(dataDir, { createdAt: manifest.createdAt, path });
      const removed = keep === undefined ? [] : await directory.keepOnly(keep, path);
      return { path, manifest, removed };
    });
  }

  /**
   * Nearly all files are copied before the snapshot of the database, so that little is left to copy afterwards. A file
   * that is deleted in between is copied in vain, and swept because the snapshot doesn't refer to it. A file that is
   * deleted after the snapshot and before it was copied requires another attempt.
   */
  async #copy(folder: BackupFolder): Promise<void> {
    const { live, rows, store, progress } = this.deps;
    const files = new BytesCopy({ from: store, to: folder.store });
    progress.begin("Copying files", await rows.countKept(), () => files.done);
    let former = await files.copy(rows);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      live.hold();
      try {
        const missing = await files.copy(rows);
        if (missing.length === 0) {
          progress.begin("Copying the database", live.countPages(), () => live.copied);
          await live.copyTo(folder.database);
          return;
        }
        rejectLost(missing, former);
        former = missing;
      } finally {
        live.release();
      }
    }
    throw conflict(
      "backup_unsteady",
      "Files were deleted faster than they could be copied. Run the command again.",
    );
  }

  async #describe(folder: BackupFolder, now: number): Promise<BackupManifest> {
    const files = { count: 0, sizeBytes: 0 };
    for await (const { sizeBytes } of folder.store.list()) {
      files.count += 1;
      files.sizeBytes += sizeBytes;
    }
    return {
      format: BACKUP_FORMAT,
      createdAt: isoTime(now),
      appVersion,
      migrations: this.deps.live.readMigrations(),
      database: await folder.computeChecksum(DATABASE_FILE),
      files,
      ...(await takeOperatorFiles(folder, this.deps.dataDir)),
    };
  }
}

/** Deletes the files in a folder to which its database doesn't refer. */
async function deleteUnreferenced({ database, store }: BackupFolder): Promise<void> {
  using file = new DatabaseFile(database);
  const files = new KeptBytesRepository(file.db, listBackedUpTables(file.readMigrations()));
  await store.sweepTemporary();
  for await (const { sha256 } of store.list()) {
    if (!(await files.isReferred(sha256))) await store.remove(sha256);
  }
}

/** Copies the operator's own icons and texts. */
async function takeOperatorFiles(
  folder: BackupFolder,
  dataDir: string,
): Promise<Pick<BackupManifest, "favicons" | "pages">> {
  const take = (names: readonly string[]) =>
    Promise.all(names.map(async (name) => ({ name, ...(await folder.take(join(dataDir, name), name)) })));
  const names = await listOperatorFiles(dataDir);
  const pages = await take(names.pages);
  return { favicons: await take(names.favicons), ...(pages.length > 0 && { pages }) };
}

/** Files that are missing twice, with a row that refers to them both times, weren't deleted: they are lost. */
function rejectLost(missing: readonly Missing[], former: readonly Missing[]): void {
  const before = new Set(former.map(({ sha256 }) => sha256));
  const lost = missing.find(({ sha256 }) => before.has(sha256));
  if (!lost) return;
  const message = `The stored bytes of ${lost.name} (${lost.sha256}) are missing or have another size. Run bookdist check-data for advice.`;
  throw conflict("bytes_missing", `${message} No backup was created; earlier backups are unchanged.`);
}
