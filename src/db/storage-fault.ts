/** What a fault of the disk under the database means to the caller. */
import { insufficientStorage, unavailable } from "../errors.ts";
import { codeOf } from "../lib/node-errors.ts";

/** A full or failing disk as 507 or 503, anything else unchanged. Each may pass without a restart. */
export function asStorageFault(error: unknown): unknown {
  // By its code: what a worker thread has met comes from there without its class.
  const code = codeOf(error) ?? "";
  if (code === "SQLITE_FULL") {
    return insufficientStorage("disk_full", "There is no room left to store this.", { cause: error });
  }
  if (/^SQLITE_(IOERR|READONLY|CANTOPEN|BUSY|NOMEM)/.test(code)) {
    return unavailable("database_unavailable", "The database can't be written just now.", { cause: error });
  }
  return error;
}
