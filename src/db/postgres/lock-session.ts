/** A session of PostgreSQL that holds one advisory lock, and shows the server that its instance is still running. */
import type pg from "pg";
import { abandon, connect, execute, giveBack } from "./connection.ts";

/** The server ends a session that isn't renewed for this time, and so releases its lock. */
const MAX_IDLE_MS = 10_000;
const RENEWED_EVERY_MS = 3000;
/** For the pool of such sessions. It closes unused ones before the server ends them. */
export const RENEWED = { settings: `-c idle_session_timeout=${MAX_IDLE_MS}`, unusedForMs: MAX_IDLE_MS / 2 };
/** Less than a write may pause, because a write under a lock begins by renewing it. */
const TIMEOUT_MS = 1500;

const RELEASING = {
  pg_advisory_lock: "pg_advisory_unlock",
  pg_try_advisory_lock: "pg_advisory_unlock",
  pg_try_advisory_lock_shared: "pg_advisory_unlock_shared",
} as const;

export type Locking = keyof typeof RELEASING;

class LockSession {
  readonly #client: pg.PoolClient;
  readonly #lost = new AbortController();
  readonly #lose = () => this.#lost.abort();
  /** The statement that releases the lock; undefined if this session doesn't hold it. */
  #unlocking: [sql: string, parameters: unknown[]] | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #renewing: NodeJS.Timeout | undefined;

  constructor(client: pg.PoolClient) {
    this.#client = client;
    // Without a listener, a connection that is lost while it is held would end the process.
    client.on("error", this.#lose);
  }

  /** Aborted when the connection, and with it the lock, is lost. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** @returns whether this session holds the lock now */
  async take(locking: Locking, kind: number, key: string): Promise<boolean> {
    const [call, parameters] = ["($1, hashtext($2)) as held", [kind, key]];
    try {
      const { rows } = await execute(this.#client, `select ${locking}${call}`, parameters);
      if (rows[0]?.held === false) return false;
    } catch (error) {
      this.#lose();
      throw error;
    }
    this.#unlocking = [`select ${RELEASING[locking]}${call}`, parameters];
    // Later than this, the server has ended the session.
    const renew = () => void this.#run("select 1", [], MAX_IDLE_MS - RENEWED_EVERY_MS).catch(this.#lose);
    this.#renewing = setInterval(renew, RENEWED_EVERY_MS).unref();
    return true;
  }

  /** Releases the lock. A connection that is lost is closed, which releases it, too. */
  async end(): Promise<void> {
    clearInterval(this.#renewing);
    const unlocking = this.#unlocking;
    this.#unlocking = undefined;
    if (unlocking) await this.#run(...unlocking).catch(this.#lose);
    this.#client.off("error", this.#lose);
    giveBack(this.#client, this.lost.aborted);
  }

  async #run(sql: string, parameters: unknown[] = [], limitMs = TIMEOUT_MS): Promise<void> {
    this.lost.throwIfAborted();
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      abandon(this.#client);
      reject(new Error("The session of a lock is silent"));
    }, limitMs);
    try {
      // One statement after the other: `pg` deprecates its own queue.
      this.#last = this.#last.then(() => execute(this.#client, sql, parameters));
      await Promise.race([this.#last, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

export async function withLockSession<T>(
  pool: pg.Pool,
  work: (session: LockSession) => Promise<T>,
): Promise<T> {
  const session = new LockSession(await connect(pool));
  try {
    return await work(session);
  } finally {
    await session.end();
  }
}
