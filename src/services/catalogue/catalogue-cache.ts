/** Caches values that are derived from the catalogue until its next change. */

import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { RequestScope, runRequest } from "../../db/request-scope.ts";
import type { PublicationRepository } from "../../repositories/publication.repository.ts";

/** How long the version of the catalogue may be waited for, on behalf of several requests. */
const VERSION_MS = 5000;

/**
 * Only values of the newest requested version are kept: nothing requests older ones, and they would use memory until
 * newer ones evicted them.
 */
export class CatalogueCache<V> {
  readonly #kept: LRUCache<string, NonNullable<V>>;
  /** Values of the newest version that are being computed. */
  #pending = new Map<string, Promise<V>>();
  #version = -1;

  /** @param bounds the total size of cached values, and the size of each, above zero */
  constructor(bounds: { maxSize: number; sizeCalculation: (value: NonNullable<V>) => number }) {
    this.#kept = new LRUCache(bounds);
  }

  /**
   * Returns the cached value, or the value that `compose` computes, once for all concurrent callers. Undefined isn't
   * cached. The caller bounds the number of distinct keys.
   * @param version of the catalogue, read before anything that the value is derived from
   */
  async of(version: number, key: string, compose: () => Promise<V>): Promise<V> {
    if (version > this.#version) {
      this.#kept.clear();
      this.#pending = new Map();
      this.#version = version;
    }
    const known = this.#kept.get(key) ?? this.#pending.get(key);
    if (known !== undefined) return known;
    // An older version may lack a concurrent change, so it isn't cached.
    if (version < this.#version) return compose();
    return this.#compose(version, key, compose);
  }

  async #compose(version: number, key: string, compose: () => Promise<V>): Promise<V> {
    const pending = this.#pending;
    const composing = compose();
    pending.set(key, composing);
    try {
      const composed = await composing;
      if (composed !== undefined && composed !== null && version === this.#version)
        this.#kept.set(key, composed);
      return composed;
    } finally {
      pending.delete(key);
    }
  }
}

/** `T` is the type of the JSON value; it exists at compile time only. */
export interface CachedJson<T> {
  bytes: Buffer;
  /** In quotes (RFC 9110, 8.8.3). */
  etag: string;
  readonly says?: T;
}

export function cachedJson<T>(value: T): CachedJson<T> {
  const bytes = ownBytes(JSON.stringify(value));
  return { bytes, etag: entityTag(bytes) };
}

/**
 * `Buffer.from` puts small texts into shared blocks of 64 KiB, and one cached text would keep the whole block in
 * memory.
 */
function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** A strong entity tag in quotes: equal for equal bytes only. */
export const entityTag = (bytes: Buffer): string =>
  `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;

/** Upper bound of an entry's size besides its bytes: its key, tag and place in the map. */
const ENTRY_BYTES = 1024;

/** The most recently used catalogue responses. */
export class CachedResponses<T> {
  readonly #responses: CatalogueCache<CachedJson<T>>;

  constructor({ maxBytes }: { maxBytes: number }) {
    this.#responses = new CatalogueCache({
      maxSize: maxBytes,
      sizeCalculation: ({ bytes }) => bytes.length + ENTRY_BYTES,
    });
  }

  /** The cached response for the key, or the one that `compose` returns. */
  of(version: number, key: string, compose: () => Promise<T>): Promise<CachedJson<T>> {
    return this.#responses.of(version, key, async () => cachedJson(await compose()));
  }
}

/** The version of the catalogue for requests, which ask for it together. */
export class CatalogueVersions {
  readonly #publication: Pick<PublicationRepository, "catalogueVersion">;
  #next: Promise<number> | undefined;

  constructor(deps: { publication: Pick<PublicationRepository, "catalogueVersion"> }) {
    this.#publication = deps.publication;
  }

  /**
   * Asks the database once for all callers of a turn of the event loop, after the last of them: no caller gets a version
   * that is older than its call, whichever instance has changed the catalogue.
   */
  catalogueVersion(): Promise<number> {
    this.#next ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        this.#next = undefined;
        runRequest(new RequestScope(VERSION_MS), () => this.#publication.catalogueVersion()).then(
          resolve,
          reject,
        );
      });
    });
    return this.#next;
  }
}

/** If this many concurrent changes in a row affect the read, something else is wrong. */
const MAX_TRIES = 4;

/**
 * Returns the result of `read` for the current catalogue. If `read` fails and the catalogue has changed since, it is
 * repeated; otherwise its error is thrown.
 * @param read receives the version of the catalogue that it reads, or an earlier one than its rows
 */
export async function retryIfCatalogueChanged<T>(
  versions: Pick<PublicationRepository, "catalogueVersion">,
  read: (version: number) => Promise<T>,
): Promise<T> {
  let version = await versions.catalogueVersion();
  for (let tries = 1; ; tries += 1) {
    try {
      return await read(version);
    } catch (error) {
      const versionNow = await versions.catalogueVersion();
      if (versionNow === version || tries === MAX_TRIES) throw error;
      version = versionNow;
    }
  }
}
