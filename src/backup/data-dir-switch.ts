/** Puts restored data in the place of what a data folder holds, so that a crash at any moment loses nothing. */
import { mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, namesIn, syncFolder } from "../adapters/files/file-store-disk.ts";
import { onDisk } from "../adapters/files/storage-errors.ts";
import { ConfigError } from "../config.ts";
import {
  CACHE_FOLDER,
  DATABASE_FILE,
  FAVICON_FILES,
  FILES_FOLDER,
  SECRET_FILE,
} from "../lib/data-dir-names.ts";
import { timeInName } from "../lib/time.ts";

/** The secret goes too: what it has signed must not open anything of what is restored. */
const REPLACED = [
  `${DATABASE_FILE}-wal`,
  `${DATABASE_FILE}-shm`,
  `${DATABASE_FILE}-journal`,
  DATABASE_FILE,
  FILES_FOLDER,
  SECRET_FILE,
  ...FAVICON_FILES,
];
const WAITING = /^restore-(.+)\.(part|ready|switching)$/;

/**
 * For whoever holds the lock on the data folder. The restored data waits in a folder whose name tells how far the
 * switch is, and the next start or restore goes on from there: as `.part` it isn't whole, and goes; as `.ready` what is
 * there is being moved aside; as `.switching` what waits is being moved to its place; without such a folder all is done.
 */
export class DataDirSwitch {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Runs `fill` on a folder in which data may wait, and takes it for restored when that is done. */
  async replaceBy(
    now: number,
    fill: (folder: string) => Promise<void>,
  ): Promise<{ aside: string | undefined }> {
    const name = `restore-${timeInName(now)}`;
    const part = join(this.#directory, `${name}.part`);
    await onDisk(() => mkdir(part, { mode: 0o700 }));
    try {
      await fill(part);
    } catch (error) {
      // The first error is the one to tell; what can't be removed now, the next start removes.
      await rm(part, { recursive: true, force: true }).catch(() => {});
      throw error;
    }
    await onDisk(async () => {
      await syncFolder(part);
      await this.#renamed(`${name}.part`, `${name}.ready`);
    });
    await this.finish();
    const aside = asideOf(timeInName(now));
    const names = await readdir(this.#directory);
    return { aside: names.includes(aside) ? join(this.#directory, aside) : undefined };
  }

  /** Finishes what was broken off. @returns whether anything was restored by that */
  async finish(): Promise<boolean> {
    let isRestored = false;
    for (const name of (await namesIn(this.#directory)).sort()) {
      const [, time = "", state] = WAITING.exec(name) ?? [];
      if (state === undefined) continue;
      if (state === "part") await rm(join(this.#directory, name), { recursive: true });
      else await onDisk(() => this.#goOn(time, state));
      isRestored ||= state !== "part";
    }
    return isRestored;
  }

  async #goOn(time: string, state: string): Promise<void> {
    const [ready, switching] = [`restore-${time}.ready`, `restore-${time}.switching`];
    if (state === "ready") {
      await this.#moveAside(join(this.#directory, asideOf(time)));
      await this.#renamed(ready, switching);
    }
    const waiting = join(this.#directory, switching);
    for (const name of await readdir(waiting)) await rename(join(waiting, name), join(this.#directory, name));
    await syncFolder(this.#directory);
    await rmdir(waiting);
    await syncFolder(this.#directory);
  }

  async #moveAside(aside: string): Promise<void> {
    // Made again from what is restored. A model of the former events must not be taken for one of these.
    await rm(join(this.#directory, CACHE_FOLDER), { recursive: true, force: true });
    const names = await readdir(this.#directory);
    const present = REPLACED.filter((name) => names.includes(name));
    if (present.length === 0) return;
    await makeFolder(aside);
    for (const name of present) await rename(join(this.#directory, name), join(aside, name));
    await syncFolder(aside);
    await syncFolder(this.#directory);
  }

  async #renamed(from: string, to: string): Promise<void> {
    await rename(join(this.#directory, from), join(this.#directory, to));
    await syncFolder(this.#directory);
  }
}

const asideOf = (time: string): string => `before-restore-${time}`;

/**
 * For whoever doesn't hold the lock: half of the data may be that from before.
 * @throws ConfigError while a restore is under way, or was broken off
 */
export async function rejectHalfRestored(directory: string): Promise<void> {
  const names = await namesIn(directory);
  const states = names.map((name) => WAITING.exec(name)?.[2]);
  if (states.every((state) => state === undefined || state === "part")) return;
  throw new ConfigError([
    `DATA_DIR: ${directory} is being restored. If that was broken off, start the server: it goes on with it.`,
  ]);
}
