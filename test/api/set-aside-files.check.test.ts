/** Stored files to which no row refers: set aside, brought back, deleted at last. */
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { writeRows } from "../support/catalogue-rows.ts";
import { FakeClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { FakeScheduler } from "../support/fake-scheduler.ts";
import { storageSettings } from "../support/on-s3.ts";
import { linkTo } from "../support/reader.ts";
import { runCli } from "../support/run-cli.ts";
import { createTxt, expectStored, hashBytes, removeReleased } from "../support/stored-files.ts";
import { createDatabaseSettings } from "../support/test-database.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

async function put({ container: { store } }: TestApp, text: string): Promise<void> {
  const received = await store.receive(Readable.from([createTxt(text)]), { maxBytes: 100 });
  await store.keep(received);
  await received.discard();
}

const setAside = async ({ container: { store } }: TestApp) =>
  (await Array.fromAsync(store.listSetAside())).map(({ sha256 }) => sha256);

async function scene(variables: Record<string, string> = {}) {
  const app = await startApp(variables);
  const { book, file } = await app.make.published("The Well", "en", "the well");
  /** Makes the row name other bytes, as those of another database do. */
  const refer = (text: string) =>
    writeRows(app, (db) =>
      db
        .updateTable("book_files")
        .set({ sha256: hashBytes(createTxt(text)) })
        .where("id", "=", file.id)
        .execute(),
    );
  return { app, book, file, refer };
}

describe("files to which no row refers", () => {
  it("are set aside by a sweep, and restored by the next one if a row refers to them", async () => {
    const { app, refer } = await scene();
    await refer("another");
    expect(await app.container.sweep()).toMatchObject({ setAside: 1, broughtBack: 0 });
    expect(await setAside(app)).toEqual([hashBytes(createTxt("the well"))]);
    await refer("the well");
    expect(await app.container.sweep()).toMatchObject({ setAside: 0, broughtBack: 1 });
    await expectStored(app.dataDir, createTxt("the well"));
    expect(await setAside(app)).toEqual([]);
  });

  it("are restored when they are downloaded", async () => {
    const { app, refer } = await scene();
    await refer("another");
    await app.container.sweep();
    await refer("the well");
    const link = await linkTo(app.api, { slug: "the-well", languageCode: "en" });
    expect((await app.api.get(link)).body.toString()).toBe("the well");
    await expectStored(app.dataDir, createTxt("the well"));
    expect(await setAside(app)).toEqual([]);
  });

  it("are restored when the same bytes are uploaded, unless that upload gets no row", async () => {
    const { app, book } = await scene();
    await put(app, "uploaded again");
    await app.container.sweep();
    const { stored, store } = app.container;
    const received = await store.receive(Readable.from([createTxt("uploaded again")]), { maxBytes: 100 });
    await expect(stored.keep(received, () => Promise.reject(new Error("no row")))).rejects.toThrow("no row");
    await received.discard();
    expect(await setAside(app)).toEqual([hashBytes(createTxt("uploaded again"))]);
    await app.make.textFile(book.id, "fr", "uploaded again");
    await expectStored(app.dataDir, createTxt("the well"), createTxt("uploaded again"));
    expect(await setAside(app)).toEqual([]);
  });

  it("are deleted with all copies when an administrator deletes their file", async () => {
    const { app, book, file } = await scene();
    const { store } = app.container;
    await store.setAside(hashBytes(createTxt("the well")), 1);
    const admin = await app.admin();
    await admin.delete(`/api/admin/books/${book.id}/files/${file.id}`);
    await removeReleased(app);
    await expectStored(app.dataDir);
    expect(await setAside(app)).toEqual([]);
  });

  it("stay if they are more than 10 and more than 5 % of all, with an error and a finding", async () => {
    const { app } = await scene();
    const texts = Array.from({ length: 11 }, (_, number) => `unknown ${number}`);
    for (const text of texts) await put(app, text);
    const count = { total: 12, unknown: 11 };
    expect(await app.container.sweep()).toMatchObject({ setAside: 0, suspicious: count });
    await expectStored(app.dataDir, createTxt("the well"), ...texts.map(createTxt));
    const errors = app.logged.filter(({ level }) => level === 50);
    expect(errors).toMatchObject([{ ...count, msg: expect.stringContaining("bookdist sweep --confirm") }]);
    const report = await app.container.services.doctor.examine({ deep: false, cloud: false });
    expect(report.isHealthy).toBe(false);
    expect(report.findings.filter(({ check }) => check === "many_orphaned_bytes")).toMatchObject([
      { severity: "error", advice: expect.stringContaining("bookdist sweep") },
    ]);
    await app.container.store.remove(hashBytes(createTxt("unknown 0")));
    expect(await app.container.sweep()).toMatchObject({ setAside: 10, suspicious: undefined });
  });

  it("are set aside if they are many, but at most 5 % of all", async () => {
    const { app, refer } = await scene();
    const { store, stored } = app.container;
    const list = async function* () {
      for (let number = 0; number < 220; number += 1)
        yield { sha256: hashBytes(createTxt(number < 11 ? `unknown ${number}` : "the well")), sizeBytes: 1 };
    };
    await refer("the well");
    const original = store.list;
    store.list = list;
    onTestFinished(() => {
      store.list = original;
    });
    expect(await stored.sweep()).toMatchObject({ setAside: 11, suspicious: undefined });
  });

  it("stay while an upload is about to write their row", async () => {
    const { app, refer } = await scene();
    const { stored, store, writeRecords } = app.container;
    const received = await store.receive(Readable.from([createTxt("late")]), { maxBytes: 100 });
    await stored.keep(received, async (claim) => {
      expect(await app.container.sweep()).toMatchObject({ setAside: 0, suspicious: undefined });
      await writeRecords(claim);
      await refer("late");
    });
    expect(await store.has(received.sha256)).toBe(true);
    expect(await setAside(app)).toEqual([]);
    await received.discard();
  });

  it("are set aside after an upgrade if the version before had deletions waiting, and rows keep theirs", async () => {
    const { app } = await scene();
    const { database, writeRecords } = app.container;
    // It kept them in memory, and there was neither a table nor a mark of it.
    await put(app, "deleted before the upgrade");
    await writeRecords(async () => {
      for (const table of ["last_sweep", "released_bytes", "replaced_bytes"] as const)
        await database.writer.deleteFrom(table).execute();
    });
    expect(await app.container.sweep()).toMatchObject({ setAside: 1 });
    await removeReleased(app);
    expect(await setAside(app)).toEqual([hashBytes(createTxt("deleted before the upgrade"))]);
    await expectStored(app.dataDir, createTxt("the well"));
  });

  it("aren't those that were released, however many", async () => {
    const { app } = await scene();
    const texts = Array.from({ length: 11 }, (_, number) => `released ${number}`);
    for (const text of texts) await put(app, text);
    const hashes = texts.map((text) => hashBytes(createTxt(text)));
    const { writeRecords } = app.container;
    await writeRecords(({ releasedBytes }) => releasedBytes.release(hashes, app.clock.now() + HOUR));
    expect(await app.container.sweep()).toMatchObject({ setAside: 0, suspicious: undefined });
    const report = await app.container.services.doctor.examine({ deep: false, cloud: false });
    expect(report).toMatchObject({ isHealthy: true, findings: [] });
    await removeReleased(app);
    await expectStored(app.dataDir, createTxt("the well"));
  });
});

describe("files that are set aside", () => {
  it("are measured by the doctor, which also reports missing files that are among them", async () => {
    const { app, file } = await scene();
    await app.container.store.setAside(hashBytes(createTxt("the well")), 1);
    const report = await app.container.services.doctor.examine({ deep: false, cloud: false });
    expect(report.examined).toMatchObject({ removedFiles: 1, removedBytes: "the well".length });
    expect(report.findings).toMatchObject([
      { check: "missing_bytes", object: { id: file.id }, message: expect.stringContaining("set aside") },
    ]);
  });

  it("are deleted after REMOVED_FILES_DAYS, unless a row refers to them", async () => {
    const { app, refer } = await scene({ REMOVED_FILES_DAYS: "3" });
    const { retention, store } = app.container;
    // A store has a clock of its own.
    app.clock.advance(Date.now() - app.clock.now());
    await put(app, "unknown");
    await refer("another");
    await app.container.sweep();
    await refer("the well");
    app.clock.advance(3 * DAY - HOUR);
    await retention.run();
    expect(await setAside(app)).toHaveLength(2);
    app.clock.advance(2 * HOUR);
    await retention.run();
    expect(await setAside(app)).toEqual([hashBytes(createTxt("the well"))]);
    expect(await store.has(hashBytes(createTxt("unknown")))).toBe(false);
  });
});

describe("files that are older than REMOVED_FILES_DAYS", () => {
  /** A file that is set aside, in a service whose schedules run by the clock that `pass` moves. */
  async function scheduled() {
    const timers = new FakeScheduler(new FakeClock());
    const app = await startApp({}, { schedule: timers.schedule });
    const pass = (milliseconds: number) => {
      app.clock.advance(milliseconds);
      timers.pass(milliseconds);
    };
    // A store has a clock of its own.
    app.clock.advance(Date.now() - app.clock.now());
    await put(app, "unknown");
    await app.container.sweep();
    return { app, pass };
  }

  /** What is deleted by mistake is gone after a moment. */
  async function expectToStay(app: TestApp): Promise<void> {
    for (const _ of Array(20)) {
      expect(await setAside(app)).toHaveLength(1);
      await sleep(10);
    }
  }

  it("stay for an hour after a start, then they are deleted", async () => {
    const { app, pass } = await scheduled();
    app.clock.advance(31 * DAY);
    app.container.startSchedules();
    await expectToStay(app);
    pass(HOUR - 1);
    await expectToStay(app);
    pass(1);
    // It looks each minute whether the clock is trusted.
    pass(MINUTE);
    await eventually(async () => expect(await setAside(app)).toEqual([]));
  });

  it("stay while the clock is more than 30 days ahead of the last recorded hour", async () => {
    const { app, pass } = await scheduled();
    const { reads, writeRecords } = app.container;
    const recorded = (at: number) =>
      eventually(async () => expect((await reads.installation.read()).lastHour).toBe(at));
    app.container.startSchedules();
    pass(HOUR);
    await recorded(app.clock.now());
    app.clock.advance(30 * DAY);
    pass(DAY);
    await expectToStay(app);
    pass(HOUR);
    await expectToStay(app);
    await writeRecords((repositories) => repositories.installation.update({ lastHour: app.clock.now() }));
    pass(HOUR);
    await recorded(app.clock.now());
    pass(HOUR);
    await eventually(async () => expect(await setAside(app)).toEqual([]));
  });
});

it("bookdist sweep lists them beside a running service, and sets them aside on demand", async () => {
  const { app } = await scene();
  const variables = {
    DATA_DIR: app.dataDir,
    ...storageSettings(app.dataDir),
    ...(await createDatabaseSettings(app.dataDir)),
  };
  const run = (...args: string[]) => runCli({ args: ["sweep", ...args], variables });
  const texts = Array.from({ length: 11 }, () => randomUUID());
  for (const text of texts) await put(app, text);
  const listed = await run();
  expect(listed.out).toContain(hashBytes(createTxt(texts[0] ?? "")));
  expect(listed.out).toContain("No row refers to 11 stored files");
  await expectStored(app.dataDir, createTxt("the well"), ...texts.map(createTxt));
  expect((await run("--confirm")).out).toContain("Set aside 11 files.");
  await expectStored(app.dataDir, createTxt("the well"));
  expect((await run()).out).toContain("No row refers to 0 stored files");
});
