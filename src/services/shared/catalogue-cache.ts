/** Caches values that are derived from the catalogue until its next change. */

import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { bindToRequest } from "../../db/request-scope.ts";
import type { CatalogueScope } from "./catalogue-versions.ts";

interface Kept<V> {
  version: number;
  value: V;
}

/** A value that is being composed, and the one that is composed after it, for callers with newer versions. */
interface Pending<V> {
  version: number;
  value: Promise<V>;
  next?: Next<V>;
}

interface Next<V> extends PromiseWithResolvers<V> {
  version: number;
  compose: () => Promise<V>;
}

/** One value for each key, that of the newest requested version. */
export class CatalogueCache<V> {
  readonly #kept: LRUCache<string, Kept<NonNullable<V>>>;
  readonly #pending = new Map<string, Pending<V>>();

  /** @param bounds the total size of cached values, and the size of each, above zero */
  constructor({
    maxSize,
    sizeCalculation,
  }: { maxSize: number; sizeCalculation: (value: NonNullable<V>) => number }) {
    this.#kept = new LRUCache({ maxSize, sizeCalculation: ({ value }) => sizeCalculation(value) });
  }

  /**
   * Returns the cached value, or the value that `compose` computes, once for all concurrent callers. Values of a key are
   * computed one after the other: while the catalogue changes all the time, they take no more than one computation at a
   * time. Undefined isn't cached. The caller bounds the number of distinct keys.
   * @param version of the scope from which the value is derived, read before anything of it
   * @param key of values that are all derived from the same scope
   * @param admit called before this caller is the reason for a computation; what it throws concerns no other caller
   */
  async getOrCompose(
    { version }: CatalogueScope,
    key: string,
    compose: () => Promise<V>,
    admit?: () => Promise<void>,
  ): Promise<V> {
    const present = this.#find(version, key, compose);
    if (present !== undefined) return present;
    if (!admit) return this.#compose(version, key, compose);
    await admit();
    return this.#find(version, key, compose) ?? this.#compose(version, key, compose);
  }

  /** The cached value, or the one that is being computed. */
  #find(version: number, key: string, compose: () => Promise<V>): NonNullable<V> | Promise<V> | undefined {
    const kept = this.#kept.get(key);
    if (kept && kept.version >= version) return kept.value;
    const pending = this.#pending.get(key);
    // It may lack a change that this caller knows.
    if (pending && pending.version < version) return composeNext(pending, version, compose);
    return pending?.value;
  }

  async #compose(version: number, key: string, compose: () => Promise<V>): Promise<V> {
    const pending: Pending<V> = { version, value: compose() };
    this.#pending.set(key, pending);
    try {
      const value = await pending.value;
      if (value !== undefined && value !== null) this.#kept.set(key, { version, value });
      return value;
    } finally {
      const { next } = pending;
      if (next) next.resolve(this.#compose(next.version, key, next.compose));
      else this.#pending.delete(key);
    }
  }
}

/** The last caller knows the most. */
function composeNext<V>(pending: Pending<V>, version: number, compose: () => Promise<V>): Promise<V> {
  pending.next ??= { ...Promise.withResolvers<V>(), version: -1, compose };
  const { next } = pending;
  if (version > next.version) Object.assign(next, { version, compose: bindToRequest(compose) });
  return next.promise;
}

/** `T` is the type of the JSON value; it exists at compile time only. */
export interface CachedJson<T> {
  bytes: Buffer;
  /** In quotes (RFC 9110, 8.8.3). */
  etag: string;
  /** Of the texts, if they are in one language. */
  languageCode?: string | undefined;
  readonly says?: T;
}

export function encodeJson<T>(value: T): CachedJson<T> {
  const bytes = encodeText(JSON.stringify(value));
  return { bytes, etag: entityTag(bytes) };
}

/**
 * `Buffer.from` puts small texts into shared blocks of 64 KiB, and one cached text would keep the whole block in
 * memory.
 */
function encodeText(text: string): Buffer {
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

  /**
   * The cached response for the key, or the one that `compose` returns.
   * @param languageCode of its texts, if they are in one language; the key determines it
   * @param admit called before this caller is the reason for composing it
   */
  getOrCompose(
    scope: CatalogueScope,
    key: string,
    compose: () => Promise<T>,
    {
      languageCode,
      admit,
    }: { languageCode?: string | undefined; admit?: (() => Promise<void>) | undefined } = {},
  ): Promise<CachedJson<T>> {
    const encode = async () => ({ ...encodeJson(await compose()), languageCode });
    return this.#responses.getOrCompose(scope, key, encode, admit);
  }
}
