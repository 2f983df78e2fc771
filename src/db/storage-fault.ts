/** What a fault of the disk under the database means to the caller. */
import Database from "better-sqlite3";
import { insufficientStorage, unavailable } from "../errors.ts";

export type FaultCounts = Readonly<Record<"busy" | "full" | "failing", number>>;

/** Tells callers what a fault means to them, and counts the faults. */
export class StorageFaults {
  readonly #counts = { busy: 0, full: 0, failing: 0 };

  get counts(): FaultCounts {
    return { ...this.#counts };
  }

  /** A full or failing disk as 507 or 503, anything else unchanged. Each may pass without a restart. */
  toldOf(error: unknown): unknown {
    if (!(error instanceof Database.SqliteError)) return error;
    if (error.code === "SQLITE_FULL") {
      this.#counts.full += 1;
      return insufficientStorage("disk_full", "There is no room left to store this.", { cause: error });
    }
    if (/^SQLITE_(IOERR|READONLY|CANTOPEN|BUSY|NOMEM)/.test(error.code)) {
      this.#counts[error.code.startsWith("SQLITE_BUSY") ? "busy" : "failing"] += 1;
      return unavailable("database_unavailable", "The database can't be written just now.", { cause: error });
    }
    return error;
  }
}
