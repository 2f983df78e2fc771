/** The threads that tests use one after the other: each service finds them as if they had just started. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import Database from "better-sqlite3";
import { expect, inject, it, onTestFinished } from "vitest";
import { WorkerThread } from "../../src/db/workers/worker-thread.ts";
import { canListDescriptors, openDescriptors } from "../support/open-descriptors.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const marks = { sql: "select mark from marks", parameters: [] };
const count =
  "with recursive n(i) as (select 1 union all select i + 1 from n where i < 1e6) select max(i) from n";

/** A thread on a database of its own, which has a row with the mark. */
function startThread(mark: string) {
  const folder = createTempFolder();
  const file = join(folder, "database.sqlite");
  copyFileSync(inject("emptyDatabase"), file);
  const database = new Database(file);
  database.exec(`create table marks as select '${mark}' as mark`);
  database.close();
  const script = new URL("../../src/db/sqlite/report-worker.ts", import.meta.url);
  // A limit that no service sets: the threads of other tests are of another kind.
  const thread = new WorkerThread({ script, data: file, youngMegabytes: 3 });
  onTestFinished(() => thread.close());
  return { folder, thread };
}

function countStarts(): () => number {
  let starts = 0;
  const add = () => {
    starts += 1;
  };
  subscribe("worker_threads", add);
  onTestFinished(() => {
    unsubscribe("worker_threads", add);
  });
  return () => starts;
}

it("a thread serves one database after the other, and leaves nothing open", async () => {
  const first = startThread("first");
  expect(await first.thread.ask(marks)).toEqual([{ mark: "first" }]);
  await first.thread.close();
  if (canListDescriptors) expect(await openDescriptors(first.folder)).toEqual([]);
  const starts = countStarts();
  const second = startThread("second");
  expect(await second.thread.ask(marks)).toEqual([{ mark: "second" }]);
  // Coverage is recorded at the end of each thread.
  expect(starts()).toBe(process.env.COVERAGE_FOLDER ? 1 : 0);
  await expect(first.thread.ask(marks)).rejects.toThrow("The thread has been closed");
});

it("two open databases have a thread each", async () => {
  const [one, other] = [startThread("one"), startThread("other")];
  const ask = () => Promise.all([one.thread.ask(marks), other.thread.ask(marks)]);
  expect(await ask()).toEqual([[{ mark: "one" }], [{ mark: "other" }]]);
  expect(await ask()).toEqual([[{ mark: "one" }], [{ mark: "other" }]]);
});

it("a thread that works when it is closed ends, and its questions fail", async () => {
  const working = startThread("working");
  expect(await working.thread.ask(marks)).toEqual([{ mark: "working" }]);
  const asked = expect(working.thread.ask({ sql: count, parameters: [] })).rejects.toThrow("Terminating");
  await nextTurn();
  await working.thread.close();
  await asked;
  const next = startThread("next");
  expect(await next.thread.ask(marks)).toEqual([{ mark: "next" }]);
});

it("an error of a statement is that of its question alone", async () => {
  const { thread } = startThread("kept");
  await expect(thread.ask({ sql: "select * from missing", parameters: [] })).rejects.toThrow("no such table");
  expect(await thread.ask(marks)).toEqual([{ mark: "kept" }]);
});
