/** Caches values that are derived from the catalogue until its next change, or the next date of a book. */

import { LRUCache } from "lru-cache";
import { bindToRequest } from "../../db/request-scope.ts";
import { type CachedJson, encodeJson } from "../../lib/entity-tag.ts";
import type { CatalogueScope } from "./catalogue-versions.ts";

interface Kept<V> {
  scope: CatalogueScope;
  value: V;
}

/** A value that is being composed, and the one that is composed after it, for callers with other versions. */
interface Pending<V> {
  scope: CatalogueScope;
  value: Promise<V>;
  next?: Next<V>;
}

interface Next<V> extends PromiseWithResolvers<V> {
  scope: CatalogueScope;
  compose: () => Promise<V>;
}

/** One value for each key, that of the newest requested version. Nothing is kept beyond a loss in the database. */
export class CatalogueCache<V> {
  readonly #kept: LRUCache<string, Kept<NonNullable<V>>>;
  readonly #pending = new Map<string, Pending<V>>();
  /** Of the scope of all values that are kept. */
  #losses = 0;

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
   * @param scope from which the value is derived, with its version, read before anything of it
   * @param key of values that are all derived from the same scope
   * @param admit called before this caller is the reason for a computation; what it throws concerns no other caller
   */
  async getOrCompose(
    scope: CatalogueScope,
    key: string,
    compose: () => Promise<V>,
    admit?: () => Promise<void>,
  ): Promise<V> {
    this.#dropAfterLoss(scope);
    const present = this.#find(scope, key, compose);
    if (present !== undefined) return present;
    if (!admit) return this.#compose(scope, key, compose);
    await admit();
    return this.#find(scope, key, compose) ?? this.#compose(scope, key, compose);
  }

  #dropAfterLoss({ losses }: CatalogueScope): void {
    if (losses <= this.#losses) return;
    this.#losses = losses;
    this.#kept.clear();
  }

  /** The cached value, or the one that is being computed. */
  #find(
    scope: CatalogueScope,
    key: string,
    compose: () => Promise<V>,
  ): NonNullable<V> | Promise<V> | undefined {
    const kept = this.#kept.get(key);
    if (kept && isSameScope(kept.scope, scope)) return kept.value;
    const pending = this.#pending.get(key);
    if (!pending || isSameScope(pending.scope, scope)) return pending?.value;
    // It may lack a change that this caller knows.
    return composeNext(pending, scope, compose);
  }

  async #compose(scope: CatalogueScope, key: string, compose: () => Promise<V>): Promise<V> {
    const pending: Pending<V> = { scope, value: compose() };
    this.#pending.set(key, pending);
    try {
      const value = await pending.value;
      if (value !== undefined && value !== null) this.#keep(key, { scope, value });
      return value;
    } finally {
      const { next } = pending;
      if (next) next.resolve(this.#compose(next.scope, key, next.compose));
      else this.#pending.delete(key);
    }
  }

  /** The value for a caller who has asked late stays out of the way of that for later ones. */
  #keep(key: string, made: Kept<NonNullable<V>>): void {
    const kept = this.#kept.get(key);
    const { epoch, version, losses, dueSince, at, dueNext } = made.scope;
    if (losses === this.#losses && !(kept && isNewer(kept.scope, made.scope)))
      this.#kept.set(key, { scope: { epoch, version, losses, dueSince, at, dueNext }, value: made.value });
  }
}

/** Between two dates of books, time changes nothing. */
export const isSameScope = (one: CatalogueScope, other: CatalogueScope): boolean =>
  one.version === other.version &&
  one.epoch === other.epoch &&
  one.losses === other.losses &&
  one.dueSince === other.dueSince;

const isNewer = (one: CatalogueScope, other: CatalogueScope): boolean =>
  one.epoch === other.epoch &&
  one.losses === other.losses &&
  (one.version > other.version || (one.version === other.version && one.dueSince > other.dueSince));

/** It begins after all its callers have read their versions. The newest of these is its own. */
function composeNext<V>(pending: Pending<V>, scope: CatalogueScope, compose: () => Promise<V>): Promise<V> {
  pending.next ??= { ...Promise.withResolvers<V>(), scope, compose: bindToRequest(compose) };
  const { next } = pending;
  if (!isNewer(next.scope, scope)) Object.assign(next, { scope, compose: bindToRequest(compose) });
  return next.promise;
}

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
