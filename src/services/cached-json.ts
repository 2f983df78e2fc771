/** Answers kept as the bytes that go out, with their strong entity tag. */
import { createHash } from "node:crypto";
import { CatalogueCache } from "./catalogue-cache.ts";

/** `T` is what the bytes say; it is there for the types only. */
export interface CachedJson<T> {
  bytes: Buffer;
  /** Quoted (RFC 9110, 8.8.3). */
  etag: string;
  readonly says?: T;
}

export function cachedJson<T>(value: T): CachedJson<T> {
  const bytes = ownBytes(JSON.stringify(value));
  return { bytes, etag: entityTag(bytes) };
}

/** `Buffer.from` would put a small text beside others into 64 KiB, all of which stay as long as one of them is kept. */
function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** A strong tag, in its quotes: the same for the same bytes, and for no others. */
export const entityTag = (bytes: Buffer): string =>
  `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;

/** What an entry costs beside its bytes, at most: its key, its tag, its place in the map. */
const ENTRY_BYTES = 1024;

/** The answers of the catalogue that were asked for last. */
export class CachedAnswers<T> {
  readonly #answers: CatalogueCache<CachedJson<T>>;

  constructor({ maxBytes }: { maxBytes: number }) {
    const weigh = ({ bytes }: CachedJson<T>) => bytes.length + ENTRY_BYTES;
    this.#answers = new CatalogueCache({ maxWeight: maxBytes, weigh });
  }

  /** The answer that is kept under the key, or the one that `compose` makes. */
  of(version: number, key: string, compose: () => Promise<T>): Promise<CachedJson<T>> {
    return this.#answers.of(version, key, async () => cachedJson(await compose()));
  }
}
