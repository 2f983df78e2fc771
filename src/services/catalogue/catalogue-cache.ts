/** What was composed from the catalogue, kept until the next change of it. */

import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { PublicationRepository } from "../../repositories/publication.repository.ts";

/**
 * Holds only what belongs to the newest version that it was asked for: older things would be asked for by nobody, and
 * stay in memory until enough new ones had driven them out.
 */
export class CatalogueCache<V> {
  readonly #kept: LRUCache<string, NonNullable<V>>;
  /** What is being composed of the newest version. */
  #underWay = new Map<string, Promise<V>>();
  #version = -1;

  /** @param bounds what all that is kept may weigh together, and what each weighs, above zero */
  constructor(bounds: { maxSize: number; sizeCalculation: (value: NonNullable<V>) => number }) {
    this.#kept = new LRUCache(bounds);
  }

  /**
   * What is kept under the key, or what `compose` makes, once for all who ask meanwhile; undefined isn't kept. What goes
   * into a key must be bounded by the caller.
   * @param version of the catalogue, read before anything that is composed
   */
  async of(version: number, key: string, compose: () => Promise<V>): Promise<V> {
    if (version > this.#version) {
      this.#kept.clear();
      this.#underWay = new Map();
      this.#version = version;
    }
    const known = this.#kept.get(key) ?? this.#underWay.get(key);
    if (known !== undefined) return known;
    // It may lack a concurrent change.
    if (version < this.#version) return compose();
    return this.#compose(version, key, compose);
  }

  async #compose(version: number, key: string, compose: () => Promise<V>): Promise<V> {
    const underWay = this.#underWay;
    const composing = compose();
    underWay.set(key, composing);
    try {
      const composed = await composing;
      if (composed !== undefined && composed !== null && version === this.#version)
        this.#kept.set(key, composed);
      return composed;
    } finally {
      underWay.delete(key);
    }
  }
}

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

/** The most recently used responses of the catalogue. */
export class CachedResponses<T> {
  readonly #responses: CatalogueCache<CachedJson<T>>;

  constructor({ maxBytes }: { maxBytes: number }) {
    this.#responses = new CatalogueCache({
      maxSize: maxBytes,
      sizeCalculation: ({ bytes }) => bytes.length + ENTRY_BYTES,
    });
  }

  /** The cached response of the key, or the one that `compose` returns. */
  of(version: number, key: string, compose: () => Promise<T>): Promise<CachedJson<T>> {
    return this.#responses.of(version, key, async () => cachedJson(await compose()));
  }
}

/** With this many changes in a row that each hit what is read, something else is wrong. */
const MOST_TRIES = 4;

/**
 * What `read` finds in the catalogue as it stands. When it fails although the catalogue has changed meanwhile, it
 * looks again; otherwise what it throws is thrown.
 * @param read gets the version of the catalogue that it reads, or a later one's rows
 */
export async function retryIfCatalogueChanged<T>(
  publication: Pick<PublicationRepository, "catalogueVersion">,
  read: (version: number) => Promise<T>,
): Promise<T> {
  let version = await publication.catalogueVersion();
  for (let tries = 1; ; tries += 1) {
    try {
      return await read(version);
    } catch (error) {
      const versionNow = await publication.catalogueVersion();
      if (versionNow === version || tries === MOST_TRIES) throw error;
      version = versionNow;
    }
  }
}
