/** A map that keeps what was used last and stays within a total weight (for example bytes). */

export interface LruOptions<V> {
  /** The most that all values together may weigh. */
  maxWeight: number;
  /** The weight of a value, above zero. Asked once, when the value is set. */
  weigh: (value: V) => number;
}

interface Entry<V> {
  value: V;
  weight: number;
}

export class Lru<V> {
  /** In order of use, the longest unused first: a Map keeps the order of insertion. */
  readonly #entries = new Map<string, Entry<V>>();
  readonly #options: LruOptions<V>;
  #weight = 0;

  constructor(options: LruOptions<V>) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** What all values weigh together, never above `maxWeight`. */
  get weight(): number {
    return this.#weight;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Keeps the value and lets go of the longest unused ones. A value above `maxWeight` by itself isn't kept. */
  set(key: string, value: V): void {
    this.delete(key);
    const weight = this.#options.weigh(value);
    if (weight > this.#options.maxWeight) return;
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    this.#evict();
  }

  /** Whether there was such a key. */
  delete(key: string): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#weight -= entry.weight;
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }

  #evict(): void {
    for (const key of this.#entries.keys()) {
      if (this.#weight <= this.#options.maxWeight) return;
      this.delete(key);
    }
  }
}
