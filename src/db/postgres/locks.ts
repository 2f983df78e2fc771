/** Advisory locks of PostgreSQL, which hold across instances and end with the connection of their holder. */
import { AsyncLocalStorage } from "node:async_hooks";
import pLimit from "p-limit";
import type pg from "pg";
import type { HeldLock } from "../database.ts";
import { KeyedLocks } from "../keyed-locks.ts";
import { lockTaken } from "../storage-error.ts";
import { type Locking, withLockSession } from "./lock-session.ts";

/** The first of the two numbers of a lock: locks of other programs in the same database have other ones. */
export const WRITER = 0x62_6f_6f_01;
const MIGRATIONS = 0x62_6f_6f_02;
const TASK = 0x62_6f_6f_03;
export const KEY = 0x62_6f_6f_04;
export const INSTANCES = 0x62_6f_6f_05;

/** Waits for the lock of writers, which the end of the transaction releases. */
export const LOCK_WRITER = `select pg_advisory_xact_lock(${WRITER}, 0)`;

/** Keys that an instance locks at once, such as those of files that it stores or deletes. Others wait in its process. */
const KEYS_AT_ONCE = 4;
/** Each lock needs a connection: those of keys, of tasks, which can lock keys themselves, and of a job. */
export const LOCK_CONNECTIONS = KEYS_AT_ONCE + 6;
/** How much longer than the server's limit for waiting this process waits, for its own queues and a silent server. */
const LONGER_MS = 2000;

type Work<T> = (lock: HeldLock) => Promise<T>;

/** However long another instance migrates: a large table can need minutes. @param pool without a limit for statements */
export const runWhileNoOtherMigrates = <T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> =>
  withLockSession(pool, async (session) => {
    await session.take("pg_advisory_lock", MIGRATIONS, "");
    return work();
  });

/** While it runs, no instance can register. @returns undefined if one is registered: `work` didn't run */
export const runWhileNoInstanceRuns = <T>(pool: pg.Pool, work: () => Promise<T>): Promise<T | undefined> =>
  withLockSession(pool, async (session) =>
    (await session.take("pg_try_advisory_lock", INSTANCES, "")) ? work() : undefined,
  );

export class Locks {
  /** Connections for locks only: work under a lock needs other ones. */
  readonly #pool: pg.Pool;
  /** How long the server lets a statement wait. */
  readonly #waitMs: number;
  readonly #local = new KeyedLocks();
  readonly #admitted = pLimit(KEYS_AT_ONCE);
  /** The lock under which the running code works. */
  readonly #held = new AsyncLocalStorage<HeldLock>();

  constructor(pool: pg.Pool, { waitMs }: { waitMs: number }) {
    this.#pool = pool;
    this.#waitMs = waitMs;
  }

  runExclusively<T>(key: string, work: Work<T>): Promise<T> {
    return this.#runWithDeadline(work, (begin) => {
      const lockAndBegin = () => this.#runLocked("pg_advisory_lock", KEY, key, (_, lock) => begin(lock));
      return this.#local.runExclusively(key, () => this.#admitted(lockAndBegin));
    });
  }

  /** Not while all connections of keys are taken, either: that would be waiting, too. */
  async tryRunExclusively<T>(key: string, work: Work<T>): Promise<T | undefined> {
    if (this.#admitted.activeCount >= KEYS_AT_ONCE) return undefined;
    const lockAndBegin = () =>
      this.#runLocked("pg_try_advisory_lock", KEY, key, async (isLocked, lock) =>
        isLocked ? work(lock) : undefined,
      );
    return this.#local.tryRunExclusively(key, () => this.#admitted(lockAndBegin));
  }

  async runAtOneInstance(name: string, work: () => Promise<void>): Promise<boolean> {
    const ran = await this.#runLocked("pg_try_advisory_lock", TASK, name, async (isLocked) => {
      if (isLocked) await work();
      return isLocked;
    });
    return ran;
  }

  /**
   * A write that is called under a lock: it begins by renewing the lock, and writes nothing if the lock was lost.
   * @param begun waits until its transaction has begun, and no other instance writes
   */
  renewFirst<T>(write: () => Promise<T>, begun: () => Promise<unknown>): () => Promise<T> {
    const lock = this.#held.getStore();
    if (!lock) return write;
    return async () => {
      await begun();
      await lock.renew();
      return write();
    };
  }

  #runLocked<T>(
    locking: Locking,
    kind: number,
    key: string,
    work: (isLocked: boolean, lock: HeldLock) => Promise<T>,
  ): Promise<T> {
    return withLockSession(this.#pool, async (session) => {
      const isLocked = await session.take(locking, kind, key);
      return this.#held.run(session, () => work(isLocked, session));
    });
  }

  /** If `work` hasn't begun in time, it never begins, although its turn still comes. */
  async #runWithDeadline<T>(work: Work<T>, enqueue: (begin: Work<T>) => Promise<T>): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const waited = new AbortController();
    const timer = setTimeout(() => {
      waited.abort();
      reject(lockTaken());
    }, this.#waitMs + LONGER_MS);
    const begin = async (lock: HeldLock) => {
      waited.signal.throwIfAborted();
      clearTimeout(timer);
      return work(lock);
    };
    try {
      return await Promise.race([enqueue(begin), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
