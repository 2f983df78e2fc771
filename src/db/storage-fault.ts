/** What a fault of the disk under the database means to the caller. */
import Database from "better-sqlite3";
import { conflict, insufficientStorage, unavailable } from "../errors.ts";

/** A full or failing disk as 507 or 503, anything else unchanged. Each may pass without a restart. */
export function asStorageFault(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  if (error.code === "SQLITE_FULL") {
    return insufficientStorage("disk_full", "There is no room left to store this.", { cause: error });
  }
  if (/^SQLITE_(IOERR|READONLY|CANTOPEN|BUSY|NOMEM)/.test(error.code)) {
    return unavailable("database_unavailable", "The database can't be written just now.", { cause: error });
  }
  return error;
}

/** For the operator: a file that isn't a database any more, with what to do. Anything else unchanged. */
export function asDamage(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  if (!/^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) return error;
  const advice = "Look at the state of the disk, then restore a backup (npm run restore).";
  return conflict("database_damaged", `The database is damaged (${error.message}). ${advice}`, {
    cause: error,
  });
}
