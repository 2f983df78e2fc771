/** The folder that holds all state. */
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { ConfigError } from "../config.ts";
import { OperatorError } from "../errors.ts";
import { LOCK_FILE } from "../lib/data-dir-names.ts";
import { codeOf, isMissing } from "../lib/node-errors.ts";

/**
 * Makes the data folder for the service's own user alone, and those above it; one that stands is fine.
 * Step by step, because Node's own `recursive` never ends where the system allows no folder at all (`/proc`).
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

/** One server per DATA_DIR: a lock that the operating system releases when the process ends. */
export class DataDirInUseError extends OperatorError {
  override readonly name = "DataDirInUseError";

  constructor(directory: string) {
    super(
      `Another server is already running on ${directory} (DATA_DIR). Stop it first or use another folder.`,
    );
  }
}

export interface DataDirLock {
  release(): void;
}

/** An unreferenced connection is garbage-collected, and its lock released. */
const held = new Set<Database.Database>();

/**
 * Takes the lock on a data folder, making the folder first where there is none. It is an exclusive SQLite transaction
 * on a file of its own, because Node has no file locks and a file that holds a process number survives the process.
 * @throws DataDirInUseError when another process holds it
 * @throws ConfigError when the folder can't be made or written to
 */
export function lockDataDir(directory: string): DataDirLock {
  try {
    makeDataDir(directory);
    const lock = lockFile(join(directory, LOCK_FILE));
    if (lock) return lock;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError([`DATA_DIR: ${directory} can't be used: ${reason}`]);
  }
  throw new DataDirInUseError(directory);
}

/** Takes the lock on a file of its own, which is made where there is none; undefined when another process holds it. */
export function lockFile(path: string): DataDirLock | undefined {
  let connection: Database.Database | undefined;
  try {
    closeSync(openSync(path, "a", 0o600));
    connection = new Database(path, { timeout: 0 });
    connection.exec("begin exclusive");
    return holdOn(connection);
  } catch (error) {
    connection?.close();
    if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")) return undefined;
    throw error;
  }
}

function holdOn(connection: Database.Database): DataDirLock {
  held.add(connection);
  return {
    release() {
      held.delete(connection);
      connection.close();
    },
  };
}
