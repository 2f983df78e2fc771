/** Opens stored files as their rows describe them. */
import type { FileStore, OpenedBlob } from "../../adapters/files/file-store.ts";
import { AppError, unavailable } from "../../errors.ts";

type Opener = Pick<FileStore, "open">;

/** A local file as its row describes it. */
interface NamedBytes {
  sha256: string;
  fileSizeBytes: number;
}

/**
 * Opens the file for reading; the caller closes the handle. Throws 404 `file_unavailable` if it's missing, and 503
 * `storage_unavailable` if its size differs from its row, as with a failing disk or a store that returns something else.
 */
export async function openBytes(store: Opener, row: NamedBytes): Promise<OpenedBlob> {
  const blob = await openIfComplete(store, row);
  if (blob) return blob;
  throw unavailable("storage_unavailable", "The file storage is not available.", {
    cause: new Error(`${row.sha256} doesn't have ${row.fileSizeBytes} bytes.`),
    headers: { "Retry-After": "60" },
  });
}

/** Like `openBytes`, but returns undefined for a missing file and one of another size. */
export async function openBytesIfThere(store: Opener, row: NamedBytes): Promise<OpenedBlob | undefined> {
  try {
    return await openIfComplete(store, row);
  } catch (error) {
    if (error instanceof AppError && error.code === "file_unavailable") return undefined;
    throw error;
  }
}

/** Undefined for a file of another size. */
async function openIfComplete(
  store: Opener,
  { sha256, fileSizeBytes }: NamedBytes,
): Promise<OpenedBlob | undefined> {
  const blob = await store.open(sha256);
  if (blob.sizeBytes === fileSizeBytes) return blob;
  await blob.handle.close();
  return undefined;
}
