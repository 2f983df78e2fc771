/** Stored files in batches, each with those of them to which no row refers. */
import type { StoredBlob } from "../../adapters/files/file-store.ts";
import type { FilesRepository } from "../../repositories/files.repository.ts";

/** The number of stored files that are looked up at once. */
const LOOKED_UP_AT_ONCE = 500;

export async function* iterateStoredBatches<T extends StoredBlob>(
  blobs: AsyncIterable<T>,
  files: Pick<FilesRepository, "findReferred">,
): AsyncGenerator<{ batch: T[]; unknown: T[] }> {
  for await (const batch of groupInBatches(blobs)) {
    const referred = await files.findReferred(batch.map(({ sha256 }) => sha256));
    yield { batch, unknown: batch.filter(({ sha256 }) => !referred.has(sha256)) };
  }
}

/** PostgreSQL has no empty lists: neither are there empty batches. */
async function* groupInBatches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    if (batch.push(item) < LOOKED_UP_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
