/** Opens a SQLite connection, sets each pragma and verifies it. */
import { accessSync, closeSync, constants, openSync } from "node:fs";
import Database from "better-sqlite3";
import { isForbidden } from "../../lib/node-errors.ts";

export type Connection = Database.Database;

/** Only harmless functions may run in views, triggers and constraints: a restored database can come from anyone. */
const UNTRUSTED = "a database must not execute code from its schema";
/** How long the lock of another program is waited for. */
export const BUSY_TIMEOUT_MS = 5000;
/** The operating system caches the rest of the file, once for all connections. */
const CACHE_KIBIBYTES = 8_000;

/** Opens the only connection that writes. Creates the file if it doesn't exist. */
export function openWriter(file: string): Connection {
  // Accessible only to its owner: SQLite would use the umask. The WAL gets the same mode.
  closeSync(openSync(file, "a", 0o600));
  return prepareOrClose(new Database(file, { timeout: BUSY_TIMEOUT_MS }), (connection) => {
    assert(connection, "journal_mode", "wal", "readers must not wait for the writer");
    // better-sqlite3 is compiled so that the first statement in WAL mode lowers this to NORMAL, so set it after one.
    assert(connection, "synchronous", 2, "a confirmed write must survive power loss");
    assert(connection, "trusted_schema", 0, UNTRUSTED);
    assert(connection, "foreign_keys", 1, "SQLite ignores foreign keys unless told otherwise");
    assert(connection, "secure_delete", 1, "erased data must not remain in the file");
    // Journals of savepoints: a bulk request wrote 187 MB to temporary files with the default, and 31 MB with this.
    assert(connection, "temp_store", 2, "the journals of savepoints belong in memory");
    boundCache(connection, CACHE_KIBIBYTES);
  });
}

/**
 * Opens a read-only connection to a file that a writer has opened before.
 * @param cacheKibibytes size of the page cache
 */
export function openReader(file: string, cacheKibibytes = CACHE_KIBIBYTES): Connection {
  assertReadable(file);
  return prepareOrClose(new Database(file, { readonly: true, timeout: BUSY_TIMEOUT_MS }), (connection) => {
    assert(connection, "trusted_schema", 0, UNTRUSTED);
    assert(connection, "query_only", 1, "a read must not become a write by mistake");
    boundCache(connection, cacheKibibytes);
  });
}

/**
 * Opens a connection that moves the WAL of a writer into its file. It doesn't create the file itself, because closing
 * any descriptor of a file releases all locks that the process has on it (sqlite.org/howtocorrupt.html, 2.2).
 */
export function openCheckpointer(file: string): Connection {
  return prepareOrClose(
    new Database(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS }),
    (connection) => {
      assert(connection, "journal_mode", "wal", "there is no other log to move");
      assert(connection, "synchronous", 2, "data that leaves the WAL must be on disk");
    },
  );
}

/** SQLite's own error names neither the file nor the reason. */
function assertReadable(file: string): void {
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    try {
      accessSync(path, constants.R_OK);
    } catch (error) {
      if (isForbidden(error)) throw error;
    }
  }
}

function prepareOrClose(connection: Connection, prepare: (connection: Connection) => void): Connection {
  try {
    addFunctions(connection);
    prepare(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** PostgreSQL has this function, and SQLite lacks it: `split_part(text, separator, n)`: the n-th part, from 1; empty if there are fewer. */
function addFunctions(connection: Connection): void {
  connection.function(
    "split_part",
    { deterministic: true, directOnly: true },
    (text: unknown, separator: unknown, n: unknown) =>
      String(text).split(String(separator), Number(n))[Number(n) - 1] ?? "",
  );
}

const boundCache = (connection: Connection, kibibytes: number): void =>
  assert(connection, "cache_size", -kibibytes, "each connection's memory is bounded");

function assert(connection: Connection, pragma: string, value: string | number, reason: string): void {
  connection.pragma(`${pragma} = ${value}`);
  const actual = connection.pragma(pragma, { simple: true });
  if (actual !== value)
    throw new Error(`SQLite reports ${pragma} = ${actual} instead of ${value}: ${reason}`);
}
