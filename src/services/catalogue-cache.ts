/** What was composed from the catalogue, kept until the next change of it. */
import { Lru, type LruOptions } from "../lib/lru.ts";

/**
 * Holds only what belongs to the newest version that it was asked for: older things would be asked for by nobody, and
 * stay in memory until enough new ones had driven them out.
 */
export class CatalogueCache<V> {
  readonly #kept: Lru<V>;
  #version = -1;

  constructor(bounds: LruOptions<V>) {
    this.#kept = new Lru(bounds);
  }

  /**
   * What is kept under the key, or what `compose` makes; undefined isn't kept. What goes into a key must be bounded by
   * whoever makes it.
   * @param version of the catalogue, read before anything that is composed
   */
  async of<T extends V | undefined>(version: number, key: string, compose: () => Promise<T>): Promise<V | T> {
    if (version > this.#version) {
      this.#kept.clear();
      this.#version = version;
    }
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const composed = await compose();
    // It may lack a change that was made meanwhile.
    if (composed !== undefined && version === this.#version) this.#kept.set(key, composed);
    return composed;
  }
}
