/** What a fault of the disk means to the caller. */
import { insufficientStorage, unavailable } from "../errors.ts";
import { codeOf } from "../lib/node-errors.ts";

/** Runs work on the disk; a full or failing disk surfaces as 507 or 503, anything else unchanged. */
export async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storageFault(error);
  }
}

export function storageFault(error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  if (FULL.has(code)) {
    return insufficientStorage("disk_full", "There is no room left to store the file.", { cause: error });
  }
  if (FAILING.has(code)) {
    return unavailable("storage_unavailable", "The file storage is not available.", { cause: error });
  }
  return error;
}

const FULL = new Set(["ENOSPC", "EDQUOT"]);
/** Read-only, broken, or out of descriptors: each may pass without a restart. */
const FAILING = new Set(["EROFS", "EIO", "EMFILE", "ENFILE"]);
