/** Advisory locks of PostgreSQL, which hold across instances and end with the connection of their holder. */
import { once } from "node:events";
import pLimit from "p-limit";
import type pg from "pg";
import { KeyedLocks } from "../keyed-locks.ts";
import { connect, execute, giveBack } from "./connection.ts";

/** The first of the two numbers of a lock: locks of other programs in the same database have other ones. */
export const WRITER = 0x62_6f_6f_01;
const MIGRATIONS = 0x62_6f_6f_02;
const TASK = 0x62_6f_6f_03;
export const KEY = 0x62_6f_6f_04;
const INSTANCES = 0x62_6f_6f_05;

/** Waits for the lock of writers, which the end of the transaction releases. */
export const LOCK_WRITER = `select pg_advisory_xact_lock(${WRITER}, 0)`;

/** Keys that an instance locks at once, such as those of files that it stores or deletes. Others wait in its process. */
const KEYS_AT_ONCE = 4;
/** How soon an instance tries to register again after its connection was lost. */
const REGISTER_AGAIN_MS = 1000;
/** Each lock needs a connection: those of keys, and of tasks, which can lock keys themselves. */
export const LOCK_CONNECTIONS = KEYS_AT_ONCE + 6;

export class Locks {
  /** Connections for locks only: work under a lock needs other ones. */
  readonly #pool: pg.Pool;
  readonly #local = new KeyedLocks();
  readonly #admitted = pLimit(KEYS_AT_ONCE);
  readonly #leaving = new AbortController();
  #joined: Promise<void> = Promise.resolve();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  exclusively<T>(key: string, work: () => Promise<T>): Promise<T> {
    const locked = () => this.#locked("pg_advisory_lock", KEY, key, work);
    return this.#local.exclusively(key, () => this.#admitted(locked));
  }

  /** Not while all connections of keys are taken, either: that would be waiting, too. */
  async tryExclusively<T>(key: string, work: () => Promise<T>): Promise<T | undefined> {
    if (this.#admitted.activeCount >= KEYS_AT_ONCE) return undefined;
    const locked = () =>
      this.#locked("pg_try_advisory_lock", KEY, key, async (isLocked) => (isLocked ? work() : undefined));
    return this.#local.tryExclusively(key, () => this.#admitted(locked));
  }

  migrating<T>(work: () => Promise<T>): Promise<T> {
    return this.#locked("pg_advisory_lock", MIGRATIONS, "", work);
  }

  async atOneInstance(name: string, work: () => Promise<void>): Promise<boolean> {
    const ran = await this.#locked("pg_try_advisory_lock", TASK, name, async (isLocked) => {
      if (isLocked) await work();
      return isLocked;
    });
    return ran;
  }

  /** Several instances that share files can be registered, or a single one that doesn't. */
  join(sharesFiles: boolean): Promise<boolean> {
    const lock = sharesFiles ? "pg_try_advisory_lock_shared" : "pg_try_advisory_lock";
    return new Promise((resolve, reject) => {
      this.#joined = this.#register(lock, resolve).catch(reject);
    });
  }

  /** Until it leaves: the end of a connection, as when the server is restarted, ends its locks. */
  async #register(lock: keyof typeof UNLOCK, report: (isRegistered: boolean) => void): Promise<void> {
    const { signal: leaving } = this.#leaving;
    const left = once(leaving, "abort");
    const register = () =>
      this.#locked(lock, INSTANCES, "", async (isLocked, lost) => {
        report(isLocked);
        if (isLocked && !lost.aborted) await Promise.race([left, once(lost, "abort")]);
        return isLocked;
      });
    if (!(await register())) return;
    while (!leaving.aborted) {
      const pause = new Promise((resolve) => setTimeout(resolve, REGISTER_AGAIN_MS).unref());
      await Promise.race([pause, left]);
      if (!leaving.aborted) await register().catch(() => {});
    }
  }

  /** Ends the registration. */
  async leave(): Promise<void> {
    this.#leaving.abort();
    await this.#joined;
  }

  async #locked<T>(
    lock: keyof typeof UNLOCK,
    kind: number,
    key: string,
    work: (isLocked: boolean, lost: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const client = await connect(this.#pool);
    // A closed connection releases its locks.
    const connection = new AbortController();
    const { signal: lost } = connection;
    const lose = () => connection.abort();
    // Without a listener, a connection that is lost while it is held would end the process.
    client.on("error", lose);
    const run = async (statement: string) => {
      const { rows } = await execute(client, `select ${statement}($1, hashtext($2)) as held`, [kind, key]);
      return rows[0]?.held !== false;
    };
    let isLocked = false;
    try {
      isLocked = await run(lock).catch((error) => {
        lose();
        throw error;
      });
      return await work(isLocked, lost);
    } finally {
      if (isLocked && !lost.aborted) await run(UNLOCK[lock]).catch(lose);
      client.off("error", lose);
      giveBack(client, lost.aborted);
    }
  }
}

const UNLOCK = {
  pg_advisory_lock: "pg_advisory_unlock",
  pg_try_advisory_lock: "pg_advisory_unlock",
  pg_try_advisory_lock_shared: "pg_advisory_unlock_shared",
} as const;
