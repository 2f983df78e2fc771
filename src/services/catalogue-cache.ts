/** What was composed from the catalogue, kept until the next change of it. */
import { Lru, type LruOptions } from "../lib/lru.ts";

/**
 * Holds only what belongs to the newest version that it was asked for: older things would be asked for by nobody, and
 * stay in memory until enough new ones had driven them out.
 */
export class CatalogueCache<V> {
  readonly #kept: Lru<NonNullable<V>>;
  /** What is being composed of the newest version. */
  #underWay = new Map<string, Promise<V>>();
  #version = -1;

  constructor(bounds: LruOptions<NonNullable<V>>) {
    this.#kept = new Lru(bounds);
  }

  /**
   * What is kept under the key, or what `compose` makes, once for all who ask meanwhile; undefined isn't kept. What goes
   * into a key must be bounded by whoever makes it.
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
    // It may lack a change that was made meanwhile.
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
