/** Compares stored bytes with what was stored, while they are read. */
import { createHash } from "node:crypto";
import type { StoredBlob } from "./file-store.ts";

/** A disk or a store gives other bytes than it was given. */
export class WrongBytesError extends Error {
  override readonly name = "WrongBytesError";
}

/**
 * The bytes of a blob. Throws a WrongBytesError in the place of their end if they have another size or SHA-256. Surplus
 * bytes aren't waited for: there may be no end of them.
 */
export async function* verifyBytes(
  bytes: AsyncIterable<Buffer>,
  { sha256, sizeBytes }: StoredBlob,
): AsyncGenerator<Buffer, void> {
  const hash = createHash("sha256");
  let received = 0;
  for await (const chunk of bytes) {
    received += chunk.length;
    if (received > sizeBytes) throw new WrongBytesError(`${sha256} has more than ${sizeBytes} bytes.`);
    hash.update(chunk);
    yield chunk;
  }
  if (received < sizeBytes) throw new WrongBytesError(`${sha256} has ${received} of ${sizeBytes} bytes.`);
  const actual = hash.digest("hex");
  if (actual !== sha256) throw new WrongBytesError(`${sha256} has bytes with the SHA-256 ${actual}.`);
}
