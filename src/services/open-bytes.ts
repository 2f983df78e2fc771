/** The bytes of a local file as its row describes them. */
import type { FileStore, OpenedBlob } from "../adapters/file-store.ts";
import { AppError, notFound } from "../errors.ts";

interface NamedBytes {
  sha256: string;
  fileSizeBytes: number;
}

/**
 * Open for reading; whoever takes the handle closes it. Bytes that are shorter or longer than the row says, as a
 * failing disk or half a backup leaves them, are as good as missing: 404 `file_unavailable`.
 */
export async function openBytes(
  store: FileStore,
  { sha256, fileSizeBytes }: NamedBytes,
): Promise<OpenedBlob> {
  const blob = await store.open(sha256);
  if (blob.sizeBytes === fileSizeBytes) return blob;
  await blob.handle.close();
  throw notFound("file_unavailable", "The file is not available.", {
    cause: new Error(`${sha256} has ${blob.sizeBytes} bytes in place of ${fileSizeBytes}`),
  });
}

/** As `openBytes`, but undefined for bytes that are missing. */
export async function openBytesIfThere(store: FileStore, row: NamedBytes): Promise<OpenedBlob | undefined> {
  try {
    return await openBytes(store, row);
  } catch (error) {
    if (error instanceof AppError && error.code === "file_unavailable") return undefined;
    throw error;
  }
}
