/** One server per DATA_DIR: a lock that the operating system lifts by itself when the process dies. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";

export class DataDirInUseError extends Error {
  constructor(directory: string) {
    super(
      `Another server is already running on ${directory} (DATA_DIR). Stop it first or use another folder.`,
    );
    this.name = "DataDirInUseError";
  }
}

export interface DataDirLock {
  release(): void;
}

/**
 * Takes the lock on a data folder, making the folder first where there is none. It is an exclusive SQLite transaction on a file of its own, because Node has no
 * file locks and a file that holds a process number survives the process.
 * @throws DataDirInUseError when another process holds it
 */
export function lockDataDir(directory: string): DataDirLock {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const connection = new Database(join(directory, "server.lock"), { timeout: 0 });
  try {
    connection.exec("begin exclusive");
  } catch (error) {
    connection.close();
    if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")) {
      throw new DataDirInUseError(directory);
    }
    throw error;
  }
  return { release: () => connection.close() };
}
