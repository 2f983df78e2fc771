/** Stored files in batches, each with those of them that aren't known. */
import type { StoredBlob } from "../../adapters/files/file-store.ts";

/** The number of stored files that are looked up at once. */
const LOOKED_UP_AT_ONCE = 500;

export async function* iterateStoredBatches<T extends StoredBlob>(
  blobs: AsyncIterable<T>,
  findKnown: (hashes: readonly string[]) => Promise<ReadonlySet<string>>,
): AsyncGenerator<{ batch: T[]; unknown: T[] }> {
  for await (const batch of groupInBatches(blobs)) {
    const known = await findKnown(batch.map(({ sha256 }) => sha256));
    yield { batch, unknown: batch.filter(({ sha256 }) => !known.has(sha256)) };
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
