/** The bytes of a local file as its row describes them. */
import type { FileStore, OpenedBlob } from "../adapters/file-store.ts";
import { notFound } from "../errors.ts";

/**
 * Open for reading; whoever takes the handle closes it. Bytes that are shorter or longer than the row says, as a
 * failing disk or half a backup leaves them, are as good as missing: 404 `file_unavailable`.
 */
export async function openBytes(
  store: FileStore,
  { sha256, fileSizeBytes }: { sha256: string; fileSizeBytes: number },
): Promise<OpenedBlob> {
  const blob = await store.open(sha256);
  if (blob.sizeBytes === fileSizeBytes) return blob;
  await blob.handle.close();
  throw notFound("file_unavailable", "The file is not available.", {
    cause: new Error(`${sha256} has ${blob.sizeBytes} bytes in place of ${fileSizeBytes}`),
  });
}
