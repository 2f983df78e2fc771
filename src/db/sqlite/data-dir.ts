/** The folder that contains all data. */
import { closeSync, mkdirSync, openSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { ConfigError } from "../../config.ts";
import { LOCK_FILE } from "../../lib/data-dir-names.ts";
import { codeOf, isMissing, messageOf } from "../../lib/node-errors.ts";
import { InstallationError } from "../assert-installation.ts";

/**
 * Creates the data folder and its parents, accessible only to the service's user; an existing folder is fine. Creates
 * them one by one, because Node's `recursive` never returns where the system allows no folder at all (`/proc`).
 */
export function makeDataDir(path: string): void {
  try {
    mkdirUnlessThere(path);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error;
    makeDataDir(dirname(path));
    mkdirUnlessThere(path);
  }
}

function mkdirUnlessThere(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

/** Where SQLite's header has `user_version`, in four bytes. */
const USER_VERSION_AT = 60;

/** A sentence that names the process that holds a lock, and since when; empty if it doesn't say so. */
function describeHolder(path: string): string {
  try {
    const id = readFileSync(path).readInt32BE(USER_VERSION_AT);
    return id > 0 ? `It is process ${id}, started ${statSync(path).mtime.toISOString()}.` : "";
  } catch {
    return ""; // Empty: of an older version.
  }
}

/** Held until it is disposed of; the operating system releases it when the process ends. */
type DataDirLock = Disposable;

/** Garbage collection of an unreferenced connection would release its lock. */
const held = new Set<Database.Database>();

/**
 * Locks a data folder, and creates the folder if it doesn't exist. The lock is that of SQLite on a separate file, because
 * Node has no file locks, and a file with a process id would outlive the process. That file names the process, too.
 * @throws InstallationError if another process holds the lock
 * @throws ConfigError if the folder can't be created or written to
 */
export function lockDataDir(directory: string): DataDirLock {
  let lock: DataDirLock | undefined;
  try {
    makeDataDir(directory);
    lock = lockFile(join(directory, LOCK_FILE));
  } catch (error) {
    const reason = messageOf(error);
    throw new ConfigError([`DATA_DIR: ${directory} can't be used: ${reason}`]);
  }
  if (lock) return lock;
  throw new InstallationError("data_dir_in_use", {
    dataDir: directory,
    holder: describeHolder(join(directory, LOCK_FILE)),
  });
}

/** Locks a separate file, and creates it if it doesn't exist; undefined if another process holds the lock. */
export function lockFile(path: string): DataDirLock | undefined {
  closeSync(openSync(path, "a", 0o600));
  const connection = new Database(path, { timeout: 0 });
  try {
    // The lock stays after the commit.
    connection.pragma("locking_mode = exclusive");
    connection.exec(`begin exclusive; pragma user_version = ${process.pid}; commit`);
  } catch (error) {
    connection.close();
    if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")) return undefined;
    throw error;
  }
  held.add(connection);
  return {
    [Symbol.dispose]() {
      held.delete(connection);
      connection.close();
    },
  };
}
