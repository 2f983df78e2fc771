/** The bounds of the queue of writes, and what is known of a write whose commit had no response. */
import { sql } from "kysely";
import { expect, inject, it, onTestFinished } from "vitest";
import { GroupCommit } from "../../src/db/group-commit.ts";
import { createPool, endPool } from "../../src/db/postgres/connection.ts";
import { createKyselyOn } from "../../src/db/postgres/kysely.ts";
import { PostgresWriter } from "../../src/db/postgres/writer.ts";
import { startProxiedApp } from "../support/proxied-app.ts";

const UNAVAILABLE = { status: 503, code: "database_unavailable", headers: { "Retry-After": "5" } };

function openQueue(bounds: { maxWaiting?: number; maxWaitMs?: number }) {
  const options = { size: 1, connectTimeoutMs: 5000, statementTimeoutMs: 5000, sendsAhead: true };
  const pool = createPool({ url: inject("postgres")?.url ?? "", ...options });
  const writer = new PostgresWriter(pool, "select 1");
  const group = new GroupCommit(writer, bounds);
  onTestFinished(async () => {
    await group.close();
    await endPool(pool);
  });
  const db = createKyselyOn({
    acquire: async () => writer.acquire(),
    release: (_, hasFailed) => writer.release(hasFailed),
  });
  const done: string[] = [];
  const write = (name: string, seconds = 0) =>
    group.submit(async () => {
      await sql`select pg_sleep(${seconds})`.execute(db);
      done.push(name);
    });
  return { group, write, done };
}

/** Until the first write has begun, which the next ones wait for. */
const waitForFirst = (group: GroupCommit) => expect.poll(() => group.waitingCount, { interval: 5 }).toBe(0);

it("a write beyond the bound is rejected immediately, and earlier ones are done", async () => {
  const { write, done, group } = openQueue({ maxWaiting: 2 });
  const first = write("first", 2);
  await waitForFirst(group);
  const waiting = [write("second"), write("third")];
  expect(group.waitingCount).toBe(2);
  await expect(write("fourth")).rejects.toMatchObject(UNAVAILABLE);
  expect(done).toEqual([]);
  expect(group.errors.counts.busy).toBe(1);
  await Promise.all([first, ...waiting]);
  expect(done).toEqual(["first", "second", "third"]);
});

it("a write that has waited too long is rejected and never done", async () => {
  const { write, done, group } = openQueue({ maxWaitMs: 1000 });
  const first = write("first", 4);
  await waitForFirst(group);
  await expect(write("second")).rejects.toMatchObject(UNAVAILABLE);
  expect(done).toEqual([]);
  await first;
  await write("third");
  expect(done).toEqual(["first", "third"]);
});

it("a write whose commit had no response may have been done, and one that failed earlier wasn't", async () => {
  const { container, proxy } = await startProxiedApp();
  const { database } = container;
  const write = (when: "before" | "after") =>
    database.commit(async () => {
      if (when === "before") proxy.swallow();
      await sql`select 1`.execute(database.writer);
      proxy.swallow();
    });
  await expect(write("after")).rejects.toMatchObject({ status: 503, mayHaveBeenDone: true });
  proxy.forward();
  await expect(write("before")).rejects.toMatchObject({ status: 503, mayHaveBeenDone: false });
});
