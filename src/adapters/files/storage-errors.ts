/** Maps file system errors to errors of the API. */
import { AppError, insufficientStorage, unavailable } from "../../errors.ts";
import { codeOf, isForbidden, refusalOf } from "../../lib/node-errors.ts";

/** Runs work on the disk. Errors of a full or failing disk become 507 or 503; others are unchanged. */
export async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw convertStorageError(error);
  }
}

export function convertStorageError(error: unknown): unknown {
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
/** Read-only, broken, out of descriptors, or owned by another user: each can be fixed without a restart. */
const FAILING = new Set(["EROFS", "EIO", "EMFILE", "ENFILE", "EACCES", "EPERM"]);

/** The reason why existing bytes can't be read, for an operator; undefined for any other error. */
export function readFailureOf(error: unknown): string | undefined {
  const cause = error instanceof AppError ? error.cause : error;
  if (codeOf(cause) === "EIO") return "the disk reports an error";
  return isForbidden(cause) ? refusalOf(cause) : undefined;
}
