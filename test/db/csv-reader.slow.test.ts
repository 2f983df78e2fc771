/** Rows that are written as CSV in the threads that read them. */
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openWriter } from "../../src/db/sqlite/connection.ts";
import { type ReportThread, reportThread } from "../../src/db/sqlite/report-thread.ts";
import { CsvReader } from "../../src/db/workers/csv-reader.ts";
import { WorkerThread } from "../../src/db/workers/worker-thread.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const threadOf = (script: string): ReportThread =>
  new WorkerThread({ script: new URL(`../support/${script}`, import.meta.url), data: undefined });

/** A thread that ends when it is asked. */
const dyingThread = () => threadOf("exiting-worker.ts");

function setUp(
  threadsOf: (file: string) => ReportThread[] = (file) => [reportThread(file), reportThread(file)],
) {
  const file = join(createTempFolder(), "a.sqlite");
  openWriter(file).close();
  const csv = new CsvReader(threadsOf(file));
  onTestFinished(() => csv.close());
  const read = async (sql: string, parameters: unknown[] = [], options = {}): Promise<string> =>
    Buffer.from(
      await csv.read({ sql, parameters }, { raw: false, delimiter: "comma", isLastFirst: false, ...options }),
    ).toString();
  return { csv, read };
}

it("returns a record for each row, with times in columns that are named as times", async () => {
  const { read } = setUp();
  const sql = `select 1 as id, 0 as madeAt, null as gone, ? as text
    union all select 2, 1772366400000, null, 'a,"b"' union all select 3, null, -1.5, ''`;
  expect(await read(sql, ["żółw 🐢"])).toBe(
    '1,1970-01-01T00:00:00.000Z,,żółw 🐢\r\n2,2026-03-01T12:00:00.000Z,,"a,""b"""\r\n3,,-1.5,\r\n',
  );
  expect(await read("select 1 where 0")).toBe("");
});

it("protects spreadsheets from formulas unless raw output is requested", async () => {
  const { read } = setUp();
  expect(await read("select '=1' as a, -1 as b")).toBe("'=1,-1\r\n");
  expect(await read("select '=1' as a, -1 as b", [], { raw: true })).toBe("=1,-1\r\n");
});

it("writes times in a zone, correctly on both sides of a change of the clock, and with any delimiter", async () => {
  const { read } = setUp();
  const sql = "select ? as aAt, ? as bAt, null as cAt, 'x;y' as d";
  const times = [Date.UTC(2026, 2, 29, 0, 59, 59, 999), Date.UTC(2026, 2, 29, 1)];
  const options = { delimiter: "semicolon", timezone: "Europe/Berlin" };
  expect(await read(sql, times, options)).toBe(
    '2026-03-29T01:59:59.999+01:00;2026-03-29T03:00:00.000+02:00;;"x;y"\r\n',
  );
});

it("begins with the last row on demand", async () => {
  const { read } = setUp();
  const sql = "select 1 as a union all select 2 union all select 3";
  expect(await read(sql, [], { isLastFirst: true })).toBe("3\r\n2\r\n1\r\n");
});

it("rejects statements that write or aren't SQL, and continues", async () => {
  const { read } = setUp();
  await expect(read("create table t (a)")).rejects.toThrow();
  await expect(read("select a from nowhere")).rejects.toThrow("no such table: nowhere");
  expect(await read("select 1 as a")).toBe("1\r\n");
});

it("reports the death of a thread during a query, and the others continue", async () => {
  const { read } = setUp((file) => [reportThread(file), dyingThread()]);
  const three = await Promise.allSettled([
    read("select 1 as a"),
    read("select 2 as a"),
    read("select 3 as a"),
  ]);
  expect(three).toEqual([
    { status: "fulfilled", value: "1\r\n" },
    { status: "rejected", reason: expect.objectContaining({ code: "ERR_THREAD_FAILED" }) },
    { status: "fulfilled", value: "3\r\n" },
  ]);
});

it("rejects a response without records, which would be an export without rows", async () => {
  const { read } = setUp(() => [threadOf("describing-worker.ts")]);
  await expect(read("select 1 as a")).rejects.toThrow("The thread sent no records");
});

it("sends no query once it is closed", async () => {
  const { csv, read } = setUp();
  expect(await read("select 1 as a")).toBe("1\r\n");
  await csv.close();
  await expect(read("select 1 as a")).rejects.toThrow("has been closed");
});
