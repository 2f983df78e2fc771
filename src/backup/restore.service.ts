/** Puts a backup in the place of what the data folder holds, which is kept beside it. */
import { join } from "node:path";
import type { Clock } from "../adapters/system.ts";
import type { SchemaObject } from "../db/soundness.ts";
import { DATABASE_FILE } from "../lib/data-dir-names.ts";
import type { BackupManifest } from "../schemas/system.schemas.ts";
import { type BackupFolder, damaged } from "./backup-folder.ts";
import { BytesCopy } from "./bytes-copy.ts";
import type { DataDirSwitch } from "./data-dir-switch.ts";
import type { Inside, Progress } from "./verification.ts";

interface RestoreDeps {
  dataDir: DataDirSwitch;
  /** A folder as a backup: a data folder has its files in the same places. */
  folderAt: (path: string) => BackupFolder;
  open: (folder: BackupFolder) => Inside;
  clock: Clock;
  progress: Progress;
}

export interface Restored {
  /** Where what was there is now; undefined when there was nothing. */
  aside: string | undefined;
  /** Tables and indexes of the restored database that this service did not create, the first few. */
  foreignData: readonly SchemaObject[];
}

export class RestoreService {
  readonly #deps: RestoreDeps;

  constructor(deps: RestoreDeps) {
    this.#deps = deps;
  }

  /**
   * The caller holds the lock on the data folder. An interrupted restore is completed first.
   * @param manifest of the backup, which has been verified; it is checked once more as it is copied
   */
  async restore(backup: BackupFolder, manifest: BackupManifest): Promise<Restored> {
    const { dataDir, folderAt, clock, progress } = this.#deps;
    await dataDir.finish();
    let foreignData: readonly SchemaObject[] = [];
    const { aside } = await dataDir.replaceBy(clock.now(), async (path) => {
      foreignData = await this.#copy(backup, manifest, folderAt(path));
    });
    progress.end();
    return { aside, foreignData };
  }

  /** @returns the foreign tables and indexes of the database, the first few */
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
}
