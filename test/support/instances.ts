/** Several instances of the service on one PostgreSQL database, which share their files. */
import { sql } from "kysely";
import { expect, vi } from "vitest";
import { startApp, type TestApp } from "./app.ts";

const PATIENTLY = { timeout: 15_000, interval: 20 };

/** Two instances, as a balancer sees them: any request can go to either. */
export async function startInstances(
  variables: Readonly<Record<string, string>> = {},
): Promise<[TestApp, TestApp]> {
  const first = await startApp(variables);
  return [first, await startApp(variables, { dataDir: first.dataDir })];
}

/** Resolves when an instance waits for an advisory lock that another one holds. */
export const lockIsAwaited = ({ container }: TestApp): Promise<void> =>
  vi.waitFor(async () => {
    const waiting = sql<{ pid: number }>`select pid from pg_locks
      where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`;
    expect((await waiting.execute(container.database.read)).rows).not.toEqual([]);
  }, PATIENTLY);

/** Begins a write, for whose end the writes of all instances wait. @returns what ends it */
export async function holdWrites({ container: { database } }: TestApp): Promise<() => Promise<void>> {
  const begun = Promise.withResolvers<void>();
  let isHeld = true;
  const held = database.commit(async () => {
    begun.resolve();
    // A write may wait for nothing but the database.
    while (isHeld) await sql`select pg_sleep(0.01)`.execute(database.writer);
  });
  await Promise.race([begun.promise, held]);
  return () => {
    isHeld = false;
    return held;
  };
}
