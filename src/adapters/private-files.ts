/** Keeps other users of this machine out of the data folder: what is open to them is closed, or the start is refused. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { chmod, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "../config.ts";
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
import { explain } from "../schemas/parse.ts";
import { secret as secretText } from "../schemas/variables.ts";

/** What only the service reads. The operator's own files (favicon, City database) keep their modes. */
const PRIVATE = [
  DATABASE_FILE,
  `${DATABASE_FILE}-wal`,
  `${DATABASE_FILE}-shm`,
  `${DATABASE_FILE}-journal`,
  SECRET_FILE,
  LAST_BACKUP_FILE,
  FILES_FOLDER,
  CACHE_FOLDER,
  BACKUPS_FOLDER,
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

/** Older versions wrote the numbers of contacts to these files. Nothing reads them now, and an erasure doesn't reach them. */
const FORMER_SNAPSHOTS = ["analytics.snapshot", "analytics.snapshot.part"];

/** Deletes what older versions left in the data folder. */
export async function removeFormerFiles(directory: string): Promise<void> {
  for (const name of FORMER_SNAPSHOTS) await rm(join(directory, CACHE_FOLDER, name), { force: true });
}

/**
 * A volume of a cluster often belongs to root and is open to the service's group: then what is in it must be closed.
 */
async function closeFolder(directory: string): Promise<void> {
  const mode = (await modeOf(directory)) ?? 0;
  if ((mode & OTHERS) === 0) return;
  try {
    await chmod(directory, mode & ~OTHERS);
  } catch (error) {
    if (codeOf(error) !== "EPERM" || mode & WORLD_MAY_WRITE) throw rejected(directory, mode);
  }
}

async function withoutOthers(path: string, mode: number): Promise<void> {
  try {
    await chmod(path, mode & ~OTHERS);
  } catch {
    throw rejected(path, mode);
  }
}

const rejected = (path: string, mode: number) =>
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

// The secret that everything signed depends on: made on the first start, kept in DATA_DIR for its owner only.

const SECRET_BYTES = 48;

/**
 * Reads the secret of a data folder, making it first where there is none.
 * @throws ConfigError when the file holds what AUTH_SECRET itself may not be
 */
export function secretOf(dataDir: string): string {
  const path = join(dataDir, SECRET_FILE);
  if (!existsSync(path)) makeSecret(path);
  const secret = secretText.safeParse(readFileSync(path, "utf8").trim(), { error: explain });
  if (secret.success) return secret.data;
  const reasons = secret.error.issues.map(({ message }) => message).join(", ");
  throw new ConfigError([
    `AUTH_SECRET: the secret in ${path} ${reasons}. Restore the file, or remove it: a new secret is made, and all users have to log in again.`,
  ]);
}

/** Renamed into place, so that a crash can't leave half a secret behind. */
function makeSecret(path: string): void {
  const unfinished = `${path}.unfinished`;
  writeFileSync(unfinished, `${newSecret()}\n`, { mode: 0o600, flush: true });
  renameSync(unfinished, path);
}

/** Chance, too, writes a forbidden word once in a long time. */
function newSecret(): string {
  for (;;) {
    const made = randomBytes(SECRET_BYTES).toString("base64url");
    if (secretText.safeParse(made).success) return made;
  }
}
