/** Locks within this process. */
import pLimit, { type LimitFunction } from "p-limit";
import type { HeldLock } from "./database.ts";

/** A lock within a process can't be lost. */
const HELD: HeldLock = { renew: async () => {} };

export class KeyedLocks {
  /** By key. Unused ones are removed. */
  readonly #locks = new Map<string, LimitFunction>();

  /** Runs `work` unless other work of this key is running. @returns undefined if it didn't run */
  async tryRunExclusively<T>(key: string, work: (lock: HeldLock) => Promise<T>): Promise<T | undefined> {
    return this.#locks.has(key) ? undefined : this.runExclusively(key, work);
  }

  /** Runs `work` while no other work of this key runs, in the order of the calls. Nested calls would deadlock. */
  async runExclusively<T>(key: string, work: (lock: HeldLock) => Promise<T>): Promise<T> {
    const lock = this.#locks.get(key) ?? pLimit(1);
    this.#locks.set(key, lock);
    try {
      return await lock(work, HELD);
    } finally {
      if (lock.activeCount + lock.pendingCount === 0) this.#locks.delete(key);
    }
  }
}
