/** The registration of an instance: a lock that it holds as long as it runs. */
import { once } from "node:events";
import type pg from "pg";
import { type Locking, withLockSession } from "./lock-session.ts";
import { INSTANCES } from "./locks.ts";

/** How soon an instance tries to register again if another one is in the way, or after its connection was lost. */
const REGISTER_AGAIN_MS = 1000;

export class Registration {
  /** Of one connection, which the server doesn't end while its instance pauses: the instance would go on unregistered. */
  readonly #pool: pg.Pool;
  readonly #leaving = new AbortController();
  #joined: Promise<void> = Promise.resolve();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /**
   * Several instances that share files can be registered, or a single one that doesn't.
   * @param waiting called once if it waits for another registration to end, at most for `waitMs`
   */
  async join(sharesFiles: boolean, waitMs: number, waiting: () => void): Promise<boolean> {
    const until = performance.now() + waitMs;
    for (let attempt = 1; ; attempt += 1) {
      if (await this.#joinNow(sharesFiles)) return true;
      if (performance.now() >= until) return false;
      if (attempt === 1) waiting();
      await new Promise((resolve) => setTimeout(resolve, REGISTER_AGAIN_MS));
    }
  }

  #joinNow(sharesFiles: boolean): Promise<boolean> {
    const locking = sharesFiles ? "pg_try_advisory_lock_shared" : "pg_try_advisory_lock";
    return new Promise((resolve, reject) => {
      this.#joined = this.#register(locking, resolve).catch(reject);
    });
  }

  /** Until it leaves: the end of a connection, as when the server is restarted, ends its locks. */
  async #register(locking: Locking, report: (isRegistered: boolean) => void): Promise<void> {
    const { signal: leaving } = this.#leaving;
    const left = once(leaving, "abort");
    const register = () =>
      withLockSession(this.#pool, async (session) => {
        const isLocked = await session.take(locking, INSTANCES, "");
        report(isLocked);
        if (isLocked && !session.lost.aborted) await Promise.race([left, once(session.lost, "abort")]);
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
}
