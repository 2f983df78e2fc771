/** Several instances of the service on one PostgreSQL database, which share their files. */
import { sql } from "kysely";
import { expect, onTestFinished } from "vitest";
import { startApp, type TestApp } from "./app.ts";
import { eventually } from "./eventually.ts";

const OFTEN = { interval: 20 };

/** Two instances, as a balancer sees them: any request can go to either. */
export async function startInstances(
  variables: Readonly<Record<string, string>> = {},
  given: Pick<Parameters<typeof startApp>[1] & object, "databaseLimitsMs"> = {},
): Promise<[TestApp, TestApp]> {
  const first = await startApp(variables, given);
  return [first, await startApp(variables, { ...given, dataDir: first.dataDir })];
}

interface AdvisoryLock {
  /** The process of the server whose connection holds it, or waits for it. */
  pid: number;
  granted: boolean;
}

async function listAdvisoryLocks({ container }: TestApp): Promise<AdvisoryLock[]> {
  const locks = sql<AdvisoryLock>`select pid, granted from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`;
  return (await locks.execute(container.database.read)).rows;
}

/** Resolves when an instance waits for an advisory lock that another one holds. */
export const lockIsAwaited = (instance: TestApp): Promise<void> =>
  eventually(async () => {
    expect((await listAdvisoryLocks(instance)).filter(({ granted }) => !granted)).not.toEqual([]);
  }, OFTEN);

/** Ends the connections that hold advisory locks, as a restart of the server does, and waits until others hold them. */
export async function loseLocks(instance: TestApp): Promise<void> {
  const lost = (await listAdvisoryLocks(instance)).map(({ pid }) => pid);
  expect(lost).not.toEqual([]);
  const end = sql`select pg_terminate_backend(pid) from unnest(${lost}::int[]) as pid`;
  await end.execute(instance.container.database.read);
  await eventually(async () => {
    const held = (await listAdvisoryLocks(instance)).filter(
      ({ pid, granted }) => granted && !lost.includes(pid),
    );
    expect(held).toHaveLength(lost.length);
  }, OFTEN);
}

/** Begins a write, for whose end the writes of all instances wait. @returns what ends it */
export async function holdWrites({ container: { database } }: TestApp): Promise<() => Promise<void>> {
  const begun = Promise.withResolvers<void>();
  let isHeld = true;
  const held = database.commit(async () => {
    // A write may wait for nothing but the database, and has its lock when the first statement is answered.
    while (isHeld) {
      await sql`select pg_sleep(0.01)`.execute(database.writer);
      begun.resolve();
    }
  });
  const release = () => {
    isHeld = false;
    return held;
  };
  // If the test fails meanwhile, its end would wait for this write.
  onTestFinished(release);
  await Promise.race([begun.promise, held]);
  return release;
}
