/** Protects the data folder from other users of the machine: removes their permissions, or refuses to start. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { chmod, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "../config.ts";
import { OperatorError } from "../errors.ts";
import {
  BACKUPS_FOLDER,
  CACHE_FOLDER,
  CITY_DATABASE_FILE,
  DATABASE_FILE,
  EXAMINED_FILE,
  FILES_FOLDER,
  LAST_BACKUP_FILE,
  SECRET_FILE,
  UNWRITTEN_FILE,
} from "../lib/data-dir-names.ts";
import { codeOf, ifExists } from "../lib/node-errors.ts";
import { explain } from "../schemas/parse.ts";
import { secret as secretText } from "../schemas/variables.ts";
import { unfinished } from "./files/named-file.ts";

/** Files that only the service reads. The operator's own files (favicon, City database) keep their modes. */
const PRIVATE = [
  DATABASE_FILE,
  `${DATABASE_FILE}-wal`,
  `${DATABASE_FILE}-shm`,
  `${DATABASE_FILE}-journal`,
  SECRET_FILE,
  LAST_BACKUP_FILE,
  UNWRITTEN_FILE,
  FILES_FOLDER,
  CACHE_FOLDER,
  BACKUPS_FOLDER,
];
const OTHERS = 0o077;
const WORLD_MAY_WRITE = 0o002;

/**
 * Removes all permissions of other users from the folder and its contents.
 * @returns the paths below the folder to which others had access
 * @throws OperatorError if that fails
 */
export async function closeDataDir(directory: string): Promise<string[]> {
  // Windows has no such modes; a user's folder is closed to other users there.
  if (process.platform === "win32") return [];
  const closed: string[] = [];
  for (const path of [directory, ...PRIVATE.map((name) => join(directory, name))]) {
    const mode = (await readMode(path)) ?? 0;
    if ((mode & OTHERS) === 0) continue;
    try {
      await chmod(path, mode & ~OTHERS);
      if (path !== directory) closed.push(path);
    } catch (error) {
      // The volume of a cluster often belongs to root and is open to the service's group. Then only its contents are
      // protected.
      const isVolume = path === directory && codeOf(error) === "EPERM" && !(mode & WORLD_MAY_WRITE);
      if (!isVolume) throw rejected(path, mode);
    }
  }
  return closed;
}

/** Older versions wrote the numbers of contacts to these files. Nothing reads them now, and an erasure doesn't reach them. */
const FORMER_SNAPSHOTS = ["analytics.snapshot", "analytics.snapshot.part"];

/** Deletes what older versions, or an update or an examination that a crash has ended, left in the data folder. */
export async function removeLeftovers(directory: string): Promise<void> {
  for (const name of FORMER_SNAPSHOTS) await rm(join(directory, CACHE_FOLDER, name), { force: true });
  await rm(join(directory, CACHE_FOLDER, EXAMINED_FILE), { force: true });
  for (const name of [CITY_DATABASE_FILE, UNWRITTEN_FILE])
    await rm(unfinished(join(directory, name)), { force: true });
}

const rejected = (path: string, mode: number) =>
  new OperatorError(
    `${path} is open to other users of this machine (mode ${(mode & 0o777).toString(8)}) and this user can't change that. Give it to the user of the service, or run: chmod go-rwx ${path}`,
  );

const readMode = async (path: string): Promise<number | undefined> => (await ifExists(stat(path)))?.mode;

// The secret from which all signing keys are derived: created at the first start, and stored in DATA_DIR for its owner
// only.

const SECRET_BYTES = 48;

/**
 * Reads the secret of a data folder, and creates it if it doesn't exist.
 * @throws ConfigError if the file contains a value that AUTH_SECRET doesn't allow
 */
export function readOrCreateSecret(dataDir: string): string {
  const path = join(dataDir, SECRET_FILE);
  if (!existsSync(path)) makeSecret(path);
  const secret = secretText.safeParse(readFileSync(path, "utf8").trim(), { error: explain });
  if (secret.success) return secret.data;
  const reasons = secret.error.issues.map(({ message }) => message).join(", ");
  throw new ConfigError([
    `AUTH_SECRET: the secret in ${path} ${reasons}. Restore the file, or remove it: a new secret is made, and all users have to log in again.`,
  ]);
}

/** Renamed into place, so that a crash can't leave half a secret. */
function makeSecret(path: string): void {
  const unfinished = `${path}.unfinished`;
  writeFileSync(unfinished, `${createSecret()}\n`, { mode: 0o600, flush: true });
  renameSync(unfinished, path);
}

/** Random text can contain a forbidden word, though very rarely. */
function createSecret(): string {
  for (;;) {
    const made = randomBytes(SECRET_BYTES).toString("base64url");
    if (secretText.safeParse(made).success) return made;
  }
}
