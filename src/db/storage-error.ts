/** Maps errors of the database's disk or connection to errors of the API. */
import { type AppErrorOptions, conflict, insufficientStorage, unavailable } from "../errors.ts";
import { codeOf } from "../lib/node-errors.ts";
import type { StorageErrorKind } from "./database.ts";
import { classifyPostgresError, isConnectionLost } from "./postgres/error-kind.ts";
import { classifySqliteError } from "./sqlite/error-kind.ts";
import { THREAD_FAILED } from "./workers/worker-thread.ts";

/**
 * A full or failing disk becomes 507 or 503; anything else is unchanged. Each can be fixed without a restart.
 * @param wasCommitting whether the error ended the commit of a change
 */
export function toStorageError(error: unknown, wasCommitting = false): unknown {
  const failure = classifyError(error);
  if (failure === undefined) return error;
  if (failure === "full") return insufficientStorage("disk_full", "The disk is full.", { cause: error });
  return unavailable("database_unavailable", "The database can't be used at the moment.", {
    cause: error,
    headers: RETRY,
    mayHaveBeenDone: wasCommitting && isConnectionLost(error),
  });
}

const RETRY = { "Retry-After": "5" };

/** The database has more to do than it can do in time. */
export const databaseBusy = (detail: string, options: Pick<AppErrorOptions, "mayHaveBeenDone"> = {}) =>
  unavailable("database_unavailable", detail, { headers: RETRY, ...options });

/** The database has ended a transaction by itself, such as one whose connection was lost. Nothing of it is kept. */
export const transactionUndone = () =>
  unavailable("database_unavailable", "The database has undone the transaction.", { headers: RETRY });

/** Maps storage errors to errors of the API, and counts them. */
export class StorageErrors {
  readonly counts: Record<StorageErrorKind, number> = { busy: 0, full: 0, failing: 0 };

  /** Like `toStorageError`. */
  recordError(error: unknown, wasCommitting = false): unknown {
    const failure = classifyError(error);
    if (failure !== undefined) this.counts[failure] += 1;
    return toStorageError(error, wasCommitting);
  }
}

function classifyError(error: unknown): StorageErrorKind | undefined {
  if (codeOf(error) === THREAD_FAILED) return "failing";
  return classifySqliteError(error) ?? classifyPostgresError(error);
}

/** Whether SQLite reports that the file is damaged or isn't a database. */
export const isDamage = (error: unknown): error is Error =>
  error instanceof Error && /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error) ?? "");

/** For the operator: an error with instructions if the file is damaged. Anything else is unchanged. */
export function convertDamage(error: unknown): unknown {
  if (!isDamage(error)) return error;
  const advice = "Check the disk, then restore a backup (bookdist restore).";
  return conflict("database_damaged", `The database is damaged (${error.message}). ${advice}`, {
    cause: error,
  });
}
