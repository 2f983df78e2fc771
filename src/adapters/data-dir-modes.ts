/** Who else on this machine may read the data folder: nobody. What is open to others is closed, or the start is refused. */
import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "../errors.ts";
import {
  BACKUPS_FOLDER,
  CACHE_FOLDER,
  DATABASE_FILE,
  FILES_FOLDER,
  LAST_BACKUP_FILE,
  SECRET_FILE,
} from "../lib/data-dir-names.ts";
import { codeOf, isMissing } from "../lib/node-errors.ts";

/** What only the service reads. The operator's own files (favicon, City database) keep their modes. */
const PRIVATE = [
  ...[DATABASE_FILE, `${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`, `${DATABASE_FILE}-journal`],
  ...[SECRET_FILE, LAST_BACKUP_FILE, FILES_FOLDER, CACHE_FOLDER, BACKUPS_FOLDER],
];
const OTHERS = 0o077;
const WORLD_MAY_WRITE = 0o002;

/**
 * Takes all permissions of others from the folder and what is in it.
 * @returns paths that others had access to, apart from the folder itself
 * @throws OperatorError when that isn't possible
 */
export async function closeDataDir(directory: string): Promise<string[]> {
  // Windows has no such modes; the folder of a user is closed to others there.
  if (process.platform === "win32") return [];
  await closeFolder(directory);
  const closed: string[] = [];
  for (const name of PRIVATE) {
    const path = join(directory, name);
    const mode = await modeOf(path);
    if (mode === undefined || (mode & OTHERS) === 0) continue;
    await withoutOthers(path, mode);
    closed.push(path);
  }
  return closed;
}

/** A volume of a cluster often belongs to root and is open to the service's group: then what is in it must be closed. */
async function closeFolder(directory: string): Promise<void> {
  const mode = (await modeOf(directory)) ?? 0;
  if ((mode & OTHERS) === 0) return;
  try {
    await chmod(directory, mode & ~OTHERS);
  } catch (error) {
    if (codeOf(error) !== "EPERM" || mode & WORLD_MAY_WRITE) throw refused(directory, mode);
  }
}

async function withoutOthers(path: string, mode: number): Promise<void> {
  try {
    await chmod(path, mode & ~OTHERS);
  } catch {
    throw refused(path, mode);
  }
}

const refused = (path: string, mode: number) =>
  new OperatorError(
    `${path} is open to other users of this machine (mode ${(mode & 0o777).toString(8)}) and this user can't change that. Give it to the user of the service, or run: chmod go-rwx ${path}`,
  );

async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
