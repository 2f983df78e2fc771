/** What a fault of the disk under the database means to the caller. */
import Database from "better-sqlite3";
import { insufficientStorage, unavailable } from "../errors.ts";

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
