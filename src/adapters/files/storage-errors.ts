/** What a fault of the disk means to the caller. */
import { AppError, insufficientStorage, unavailable } from "../../errors.ts";
import { codeOf, isForbidden, refusalOf } from "../../lib/node-errors.ts";

/** Runs work on the disk; a full or failing disk surfaces as 507 or 503, anything else unchanged. */
export async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storageError(error);
  }
}

export function storageError(error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  if (FULL.has(code)) {
    return insufficientStorage("disk_full", "The disk is full.", { cause: error });
  }
  if (FAILING.has(code)) {
    return unavailable("storage_unavailable", "The file storage is not available.", { cause: error });
  }
  return error;
}

const FULL = new Set(["ENOSPC", "EDQUOT"]);
/** Read-only, broken, out of descriptors, or of another owner: each may pass without a restart. */
const FAILING = new Set(["EROFS", "EIO", "EMFILE", "ENFILE", "EACCES", "EPERM"]);

/** Why bytes that are there can't be read, for an operator; undefined for any other error. */
export function readFailureOf(error: unknown): string | undefined {
  const cause = error instanceof AppError ? error.cause : error;
  if (codeOf(cause) === "EIO") return "the disk reports an error";
  return isForbidden(cause) ? refusalOf(cause) : undefined;
}
