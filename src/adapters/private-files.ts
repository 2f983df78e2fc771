/** Protects the data folder from other users of the machine: removes their permissions, or refuses to start. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { chmod, opendir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Config, ConfigError } from "../config.ts";
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
/** The data folder, which its group may pass through and, if the operator has allowed it, list. */
const ITSELF = "";
/** What FILES_MODE=group opens. */
const OF_GROUP = [ITSELF, FILES_FOLDER, CACHE_FOLDER];
const OTHERS = 0o077;
/** What a group that may read doesn't need. */
const OTHERS_BUT_GROUP = 0o027;
const WORLD_MAY_WRITE = 0o002;
const GROUP_MAY_PASS = 0o010;
const GROUP_MAY_LIST = 0o050;
const GROUP_MAY_READ = 0o040;

/**
 * Removes all permissions of other users from the folder and its contents, except those that FILES_MODE gives the group.
 * @returns the paths below the folder to which others had access
 * @throws OperatorError if that fails
 */
export async function closeDataDir(
  directory: string,
  filesMode: Config["filesMode"] = "private",
): Promise<string[]> {
  // Windows has no such modes; a user's folder is closed to other users there.
  if (process.platform === "win32") return [];
  const ofGroup = filesMode === "group" ? OF_GROUP : [];
  const closed = await removeAccess(directory, ofGroup);
  if (ofGroup.length === 0) return closed;
  await addAccess(directory, GROUP_MAY_PASS);
  for (const name of [FILES_FOLDER, CACHE_FOLDER]) await openToGroup(join(directory, name));
  return closed;
}

async function removeAccess(directory: string, ofGroup: readonly string[]): Promise<string[]> {
  const closed: string[] = [];
  for (const name of [ITSELF, ...PRIVATE]) {
    const path = join(directory, name);
    const mode = (await readMode(path)) ?? 0;
    const open = mode & (ofGroup.includes(name) ? OTHERS_BUT_GROUP : OTHERS);
    if (open === 0) continue;
    try {
      await chmod(path, mode & ~open);
      if (name !== ITSELF) closed.push(path);
    } catch (error) {
      // The volume of a cluster often belongs to root and is open to the service's group. Then only its contents are
      // protected.
      const isVolume = name === ITSELF && codeOf(error) === "EPERM" && !(mode & WORLD_MAY_WRITE);
      if (!isVolume) throw rejected(path, mode);
    }
  }
  return closed;
}

/**
 * What was stored with FILES_MODE=private, or restored. The folder itself comes last: if it is open, all in it is, and
 * a later start has nothing to do.
 */
async function openToGroup(folder: string): Promise<void> {
  if (((await readMode(folder)) ?? GROUP_MAY_LIST) & GROUP_MAY_READ) return;
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToGroup(path);
    else if (entry.isFile()) await addAccess(path, GROUP_MAY_READ);
  }
  await addAccess(folder, GROUP_MAY_LIST);
}

/** A file that was removed meanwhile needs none. */
async function addAccess(path: string, bits: number): Promise<void> {
  const mode = await readMode(path);
  if (mode === undefined || (mode & bits) === bits) return;
  try {
    await ifExists(chmod(path, mode | bits));
  } catch {
    throw notOpened(path);
  }
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

const notOpened = (path: string) =>
  new OperatorError(
    `FILES_MODE=group: this user can't give its group access to ${path}. Give it to the user of the service, or set FILES_MODE=private`,
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
