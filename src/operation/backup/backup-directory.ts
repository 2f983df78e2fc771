/** The folder of backups: each is created under a temporary name and renamed when it is complete. */
import { mkdir, readdir, rename, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "../../adapters/files/file-store-disk.ts";
import { onDisk } from "../../adapters/files/storage-errors.ts";
import { lockFile, makeDataDir } from "../../db/sqlite/data-dir.ts";
import { conflict, insufficientStorage, OperatorError } from "../../errors.ts";
import { refusalOf } from "../../lib/node-errors.ts";
import { mebibytes } from "../../lib/sizes.ts";
import { timeInName } from "../../lib/time.ts";
import { BackupFolder } from "./backup-folder.ts";

const WHOLE = /^backup-[\d-]+T[\d.]+Z$/;
const UNFINISHED = /^backup-.+\.(part|removed)$/;

interface BackupDirectoryDeps {
  directory: string;
  newId: () => string;
}

export class BackupDirectory {
  readonly #deps: BackupDirectoryDeps;

  /** @param deps.directory absolute; created if necessary */
  constructor(deps: BackupDirectoryDeps) {
    this.#deps = deps;
  }

  /**
   * Runs `fill` on a new folder, which is renamed after it was verified, and deleted on failure.
   * @throws 409 `backup_running` if another process creates a backup here
   */
  async add<T>(
    now: number,
    fill: (folder: BackupFolder) => Promise<T>,
  ): Promise<{ path: string; verified: T }> {
    const path = join(this.#deps.directory, `backup-${timeInName(now)}`);
    const part = `${path}.part`;
    await this.#runOnTarget(() => mkdir(part, { mode: 0o700 }));
    try {
      const verified = await fill(new BackupFolder({ path: part, newId: this.#deps.newId }));
      await onDisk(async () => {
        await rename(part, path);
        await syncFolder(this.#deps.directory);
      });
      return { path, verified };
    } catch (error) {
      // The first error is the one to report; what can't be deleted now is deleted by the next backup.
      await rm(part, { recursive: true, force: true }).catch(() => {});
      throw error;
    }
  }

  /** @throws 507 `disk_full` instead of filling a disk that the service may need for its own writes */
  async assertRoom(sizeBytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(this.#deps.directory);
    const free = bavail * bsize;
    if (free >= sizeBytes) return;
    const [needs, has] = [mebibytes(sizeBytes), mebibytes(free)];
    throw insufficientStorage(
      "disk_full",
      `A backup needs ${needs}; ${this.#deps.directory} has ${has} free.`,
    );
  }

  /**
   * Deletes the oldest backups beyond `count`, but never `newest`, even if the clock was wrong when others were
   * created.
   */
  async keepOnly(count: number, newest: string): Promise<string[]> {
    const whole = (await readdir(this.#deps.directory)).filter((name) => WHOLE.test(name)).sort();
    const others = whole.map((name) => join(this.#deps.directory, name)).filter((path) => path !== newest);
    const surplus = others.slice(0, Math.max(0, others.length - (count - 1)));
    for (const path of surplus) {
      // Renamed first: a partly deleted backup must not look complete.
      await rename(path, `${path}.removed`);
      await syncFolder(this.#deps.directory);
      await rm(`${path}.removed`, { recursive: true });
    }
    return surplus;
  }

  /**
   * Runs `work` while no other process works here, after deleting incomplete backups.
   * @throws OperatorError if the folder can't be created or written to
   */
  async runExclusively<T>(work: () => Promise<T>): Promise<T> {
    using lock = await this.#runOnTarget(async () => {
      makeDataDir(this.#deps.directory);
      return lockFile(join(this.#deps.directory, "backup.lock"));
    });
    if (!lock) throw conflict("backup_running", `Another backup into ${this.#deps.directory} is running.`);
    for (const name of await readdir(this.#deps.directory)) {
      if (UNFINISHED.test(name)) await rm(join(this.#deps.directory, name), { recursive: true });
    }
    return await work();
  }

  async #runOnTarget<T>(work: () => Promise<T>): Promise<T> {
    return onDisk(async () => {
      try {
        return await work();
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal === undefined) throw error;
        throw new OperatorError(
          `Can't write backups to ${this.#deps.directory}: ${refusal}. Make the folder writable for this user, or choose another one with --out.`,
        );
      }
    });
  }
}
