/** Advisory locks of PostgreSQL, which hold across instances and end with the connection of their holder. */
import type pg from "pg";
import { withLockSession } from "./lock-session.ts";

/** The first of the two numbers of a lock: locks of other programs in the same database have other ones. */
export const WRITER = 0x62_6f_6f_01;
const MIGRATIONS = 0x62_6f_6f_02;
const TASK = 0x62_6f_6f_03;
// 0x62_6f_6f_04 was the one of stored bytes.
export const INSTANCES = 0x62_6f_6f_05;

/** Waits for the lock of writers, which the end of the transaction releases. */
export const LOCK_WRITER = `select pg_advisory_xact_lock(${WRITER}, 0)`;

/** Each lock needs a connection: those of tasks, and of a job. */
export const LOCK_CONNECTIONS = 6;

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

/** @returns false if another instance is doing it: `work` didn't run */
export const runAtOneInstance = (
  pool: pg.Pool,
  name: string,
  work: (lost: AbortSignal) => Promise<void>,
): Promise<boolean> =>
  withLockSession(pool, async (session) => {
    const isLocked = await session.take("pg_try_advisory_lock", TASK, name);
    if (isLocked) await work(session.lost);
    return isLocked;
  });
