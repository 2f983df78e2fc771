/** Puts a backup in the place of what the data folder holds, which is kept beside it. */
import { join } from "node:path";
import { type BackupFolder, damaged } from "../adapters/backup-folder.ts";
import type { Clock } from "../adapters/clock.ts";
import type { DataDirSwitch } from "../adapters/data-dir-switch.ts";
import { DATABASE_FILE } from "../lib/data-dir-names.ts";
import type { BackupManifest } from "../schemas/backup.schemas.ts";
import { BytesCopy } from "./backup/bytes-copy.ts";
import type { Progress } from "./backup/progress.ts";
import type { Inside } from "./backup/verification.ts";

interface RestoreUses {
  dataDir: DataDirSwitch;
  /** A folder as a backup: a data folder has its files in the same places. */
  folderAt: (path: string) => BackupFolder;
  open: (folder: BackupFolder) => Inside;
  clock: Clock;
  progress: Progress;
}

export class RestoreService {
  readonly #uses: RestoreUses;

  constructor(uses: RestoreUses) {
    this.#uses = uses;
  }

  /**
   * For whoever holds the lock on the data folder. A restore that was broken off is finished first.
   * @param manifest of the backup, which has been verified; it is checked once more as it is copied
   * @returns where that is what was there; undefined when there was nothing
   */
  async restore(backup: BackupFolder, manifest: BackupManifest): Promise<{ aside: string | undefined }> {
    const { dataDir, folderAt, clock, progress } = this.#uses;
    await dataDir.finish();
    const restored = await dataDir.replaceBy(clock.now(), (path) =>
      this.#copy(backup, manifest, folderAt(path)),
    );
    progress.end();
    return restored;
  }

  async #copy(from: BackupFolder, manifest: BackupManifest, to: BackupFolder): Promise<void> {
    const { open, progress } = this.#uses;
    progress.begin("Copying the database", 0, () => 0);
    for (const { name, sha256 } of [{ name: DATABASE_FILE, ...manifest.database }, ...manifest.favicons]) {
      const taken = await to.take(join(from.path, name), name);
      if (taken.sha256 !== sha256) throw damaged(`${name} has changed meanwhile`);
    }
    const files = new BytesCopy({ from: from.store, to: to.store });
    const { file, rows, kept } = open(to);
    try {
      progress.begin("Copying files", await kept.countRows(), () => files.done);
      const [missing] = await files.copy(rows);
      if (missing) throw damaged(`${missing.name} is missing`);
    } finally {
      file.close();
    }
  }
}
