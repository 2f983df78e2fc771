/** Lets work on the same key run one after the other, in the order of the calls. */

export class KeyedLock {
  /** Per key, the end of the work that was called last. Settled keys are dropped. */
  readonly #ends = new Map<string, Promise<void>>();

  /** Answers what `work` answers. A failure of one work does not reach the next. Not re-entrant. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#ends.get(key);
    const { promise: end, resolve: finish } = Promise.withResolvers<void>();
    this.#ends.set(key, end);
    await before;
    try {
      return await work();
    } finally {
      if (this.#ends.get(key) === end) this.#ends.delete(key);
      finish();
    }
  }

  /** The number of keys that are in use. */
  get size(): number {
    return this.#ends.size;
  }
}
