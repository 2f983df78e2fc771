import { readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { type RawBuilder, sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { GroupCommit } from "../../src/db/group-commit.ts";
import { Checkpoints, type LogLengths } from "../../src/db/sqlite/checkpoints.ts";
import { type Connection, openReader, openWriter } from "../../src/db/sqlite/connection.ts";
import { createSqliteKysely } from "../../src/db/sqlite/kysely.ts";
import { withStatementCache } from "../../src/db/sqlite/statement-cache.ts";
import { SqliteWriter } from "../../src/db/sqlite/writer.ts";
import { startApp } from "../support/app.ts";
import { ServiceProcess } from "../support/service-process.ts";
import { createTempFolder } from "../support/temp-folder.ts";

/** A hundredth of the real ones. */
const PAGES: LogLengths = { step: 10, long: 40, lastResort: 100_000 };
const PAGE = 4096;

/** @param file that the thread opens instead of the database itself */
function setUp({ pages = PAGES, file }: { pages?: LogLengths; file?: string } = {}) {
  const real = join(createTempFolder(), "notes.sqlite");
  const connection = openWriter(real);
  connection.exec("create table notes (id integer primary key, body blob not null)");
  const fieldErrors: unknown[] = [];
  const checkpoints = new Checkpoints(connection, {
    file: file ?? real,
    report: (error) => fieldErrors.push(error),
    pages,
  });
  const group = new GroupCommit(new SqliteWriter(connection, { checkpoints }));
  const db = createSqliteKysely(withStatementCache(connection));
  /** As the database does. */
  const close = async () => {
    await group.close();
    await checkpoints.close();
  };
  onTestFinished(async () => {
    await close();
    connection.close();
  });
  return {
    file: real,
    connection,
    checkpoints,
    errors: fieldErrors,
    close,
    /** A commit that adds at least one page. */
    write: () => group.submit(() => sql`insert into notes (body) values (zeroblob(${PAGE}))`.execute(db)),
  };
}

/** How often the log has begun again (sqlite.org/fileformat.html, 4.1). */
const beginningsOf = (file: string): number => readFileSync(`${file}-wal`).readUInt32BE(12);

const progress = z.object({ log: z.int(), checkpointed: z.int() });

/** How many pages the log has, and how many of them have been moved. */
const progressOf = (connection: Connection) =>
  progress.parse(connection.prepare("pragma wal_checkpoint(NOOP)").get());

const countIn = (connection: Connection): unknown =>
  connection.prepare("select count(*) from notes").pluck().get();

/** Writes, without a moment in which none waits, until `isDone`. @returns how many */
async function writeUntil(isDone: () => boolean, write: () => Promise<unknown>): Promise<number> {
  let written = 0;
  const writeOn = async () => {
    while (!isDone()) {
      await write();
      written += 1;
    }
  };
  await Promise.all([writeOn(), writeOn(), writeOn()]);
  return written;
}

describe("the write-ahead log", () => {
  it("is moved into the file and restarts by itself, even if writes never pause", async () => {
    const { file, write, connection, errors: fieldErrors } = setUp();
    const [before, size] = [beginningsOf(file), statSync(file).size];
    const written = await writeUntil(() => beginningsOf(file) >= before + 3, write);
    expect(countIn(connection)).toBe(written);
    // What was in the log when it began again is in the file.
    expect(statSync(file).size).toBeGreaterThan(size);
    expect(fieldErrors).toEqual([]);
  });

  it("delays writes until it is moved completely once it is long: otherwise it could never restart", async () => {
    const { write, connection, checkpoints } = setUp();
    /** How long the log was each time somebody looked, by what was waited for. */
    const lengths = new Map<unknown, Set<number>>();
    const look = () => {
      const { pause } = checkpoints;
      // SQLite says nothing of the log to a connection within its transaction.
      if (pause && !connection.inTransaction)
        lengths.set(pause, (lengths.get(pause) ?? new Set()).add(progressOf(connection).log));
      if (lengths.size < 10) setImmediate(look);
    };
    look();
    await writeUntil(() => lengths.size >= 10, write);
    expect([...lengths.values()].filter(({ size }) => size > 1)).toEqual([]);
  });

  it("is left to the thread as long as that works: no commit moves it when a reader of a long log ends", async () => {
    const [elsewhere, lastResort] = [join(createTempFolder(), "elsewhere.sqlite"), 50];
    const another = openWriter(elsewhere);
    onTestFinished(() => void another.close());
    another.exec("pragma wal_autocheckpoint = 0; create table seen (number integer)");
    // A thread that works, and moves nothing of this log, as beside a reader.
    const { write, connection } = setUp({ pages: { ...PAGES, lastResort }, file: elsewhere });
    const isAsked = () => progressOf(another).checkpointed < progressOf(another).log;
    while (progressOf(connection).log < 3 * lastResort) {
      another.exec("insert into seen values (1)");
      for (let written = 0; written < PAGES.step; written += 1) await write();
      while (isAsked()) {
        await wait(50);
        await write();
      }
    }
    expect(progressOf(connection).checkpointed).toBe(0);
  });

  it("is moved within a commit if the thread has failed for too long", async () => {
    const pages = { ...PAGES, lastResort: 50 };
    const { file, write } = setUp({ pages, file: join(createTempFolder(), "missing.sqlite") });
    const before = beginningsOf(file);
    await writeUntil(() => beginningsOf(file) > before, write);
    expect(statSync(file).size).toBeGreaterThan(PAGE);
  });

  it("grows while a reader needs it, without blocking others, and restarts afterwards", async () => {
    const { file, write } = setUp();
    const reader = openReader(file);
    onTestFinished(() => void reader.close());
    await write();
    reader.exec("begin");
    expect(countIn(reader)).toBe(1);
    const lengthOf = () => statSync(`${file}-wal`).size;
    await writeUntil(() => lengthOf() > 10 * PAGES.long * PAGE, write);
    expect(countIn(reader)).toBe(1);
    const before = beginningsOf(file);
    reader.exec("commit");
    await writeUntil(() => beginningsOf(file) > before, write);
  });
});

describe("a checkpoint that fails", () => {
  it("is reported, affects no write and is repeated, and no commit runs it", async () => {
    const elsewhere = join(createTempFolder(), "elsewhere.sqlite");
    const { file, write, errors: fieldErrors } = setUp({ file: elsewhere });
    const size = statSync(file).size;
    // More than SQLite's own threshold.
    await writeUntil(() => fieldErrors.length >= 3 && statSync(`${file}-wal`).size > 1100 * PAGE, write);
    expect(new Set(fieldErrors.map(String))).toEqual(new Set([expect.stringContaining("unable to open")]));
    expect(statSync(file).size).toBe(size);

    symlinkSync(file, elsewhere);
    const before = beginningsOf(file);
    await writeUntil(() => beginningsOf(file) > before, write);
    expect(statSync(file).size).toBeGreaterThan(size);
  });

  it("is logged by the service", async () => {
    const { container, dataDir, logged } = await startApp();
    const { database } = container;
    const file = join(dataDir, "database.sqlite");
    // Those who have opened it keep it.
    renameSync(file, `${file}.away`);
    const reported = () => logged.find(({ msg }) => String(msg).includes("could not checkpoint"));
    const run = (statement: RawBuilder<unknown>) => database.commit(() => statement.execute(database.writer));
    await run(sql`create table padding (body blob)`);
    await writeUntil(
      () => reported() !== undefined,
      () => run(sql`insert into padding values (zeroblob(${100 * PAGE}))`),
    );
    expect(reported()).toMatchObject({ level: 50, err: { message: expect.any(String) } });
    renameSync(`${file}.away`, file);
  });
});

it("closing waits for the running checkpoint", async () => {
  const { write, connection, close, errors: fieldErrors } = setUp();
  while (progressOf(connection).log < PAGES.step) await write();
  expect(progressOf(connection).checkpointed).toBe(0);
  await close();
  const { log, checkpointed } = progressOf(connection);
  expect(checkpointed).toBe(log);
  expect(fieldErrors).toEqual([]);
});

describe("kill -9", () => {
  it.each([
    // A transaction locks its own connection against it, and is open over several turns on a busy machine.
    [
      "beside writes",
      '!connection.inTransaction && connection.prepare("pragma wal_checkpoint(NOOP)").get().log >= pages.step',
      1,
    ],
    ["while writes wait for it", "checkpoints.pause !== undefined", 0],
    ["a little later", "checkpoints.pause !== undefined", 2],
    ["still later", "checkpoints.pause !== undefined", 5],
  ])("during a checkpoint loses nothing that was acknowledged: %s", async (_, moment, delayMs) => {
    const folder = createTempFolder();
    const file = join(folder, "notes.sqlite");
    const answered = join(folder, "answered.txt");
    const script = join(folder, "writes.mjs");
    writeFileSync(
      script,
      `import { openSync, writeSync } from "node:fs";
       import { Checkpoints } from ${moduleOf("sqlite/checkpoints")};
       import { openWriter } from ${moduleOf("sqlite/connection")};
       import { GroupCommit } from ${moduleOf("group-commit")};
       import { SqliteWriter } from ${moduleOf("sqlite/writer")};
       const connection = openWriter(${JSON.stringify(file)});
       connection.exec("create table notes (id integer primary key, body blob not null)");
       const insert = connection.prepare("insert into notes (body) values (randomblob(5000)) returning id").pluck();
       const pages = { step: 300, long: 600, lastResort: 100_000 };
       const checkpoints = new Checkpoints(connection, { file: ${JSON.stringify(file)}, pages, report: console.error });
       const group = new GroupCommit(new SqliteWriter(connection, { checkpoints }));
       const answered = openSync(${JSON.stringify(answered)}, "a");
       const writeOn = async () => {
         for (;;) writeSync(answered, (await group.submit(async () => insert.get())) + "\\n");
       };
       const watch = () => {
         if (!(${moment})) return setImmediate(watch);
         setTimeout(() => process.kill(process.pid, "SIGKILL"), ${delayMs});
       };
       watch();
       await Promise.all([writeOn(), writeOn(), writeOn()]);`,
    );
    const service = new ServiceProcess({}, { script: [script] });
    expect(await service.ended).toEqual({ code: null, signal: "SIGKILL", errors: "" });
    const ids = readFileSync(answered, "utf8").trim().split("\n").map(Number);
    expect(ids.length).toBeGreaterThan(100);

    const connection = openReader(file);
    onTestFinished(() => void connection.close());
    expect(connection.pragma("integrity_check", { simple: true })).toBe("ok");
    const stored = new Set(connection.prepare("select id from notes").pluck().all());
    expect(ids.filter((id) => !stored.has(id))).toEqual([]);
  });
});

/** The URL of a source of the database's, as a literal for a script. */
const moduleOf = (name: string): string =>
  JSON.stringify(pathToFileURL(join(import.meta.dirname, `../../src/db/${name}.ts`)).href);
