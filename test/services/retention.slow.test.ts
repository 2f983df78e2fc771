/** What time takes away: the readers of old events, contacts of whom nothing is left, old changes. */
import { describe, expect, it, onTestFinished } from "vitest";
import { EventsRepository } from "../../src/repositories/events.repository.ts";
import { createWriters, type WriteRecords } from "../../src/repositories/index.ts";
import { Retention } from "../../src/services/retention.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { addContacts } from "../support/contact-rows.ts";
import { dumpOf } from "../support/database-dump.ts";
import { eventually } from "../support/eventually.ts";
import { FakeScheduler } from "../support/fake-scheduler.ts";
import { linkTo, listEvents } from "../support/reader.ts";

const DAY = 86_400_000;
const WEEK = { EVENT_RETENTION_DAYS: "7" };

/** Threads start slowly on a busy machine. */
const until = (work: () => unknown) => eventually(work);

const run = ({ container }: TestApp) => container.retention.run();
const daysAgo = ({ clock }: TestApp, days: number) => ({ downloadedAt: clock.now() - days * DAY });
const idsOf = async (app: TestApp) =>
  (await app.container.database.read.selectFrom("contacts").select("publicId").orderBy("id").execute()).map(
    ({ publicId }) => publicId,
  );

describe("events that are older than EVENT_RETENTION_DAYS", () => {
  it("lose contact and address, and keep the rest; younger ones keep all", async () => {
    const app = await startApp(WEEK);
    const place = { countryCode: "KE", countryName: "Kenya", city: "Nairobi", utmSource: "s" };
    await addContacts(app, [
      { publicId: "a", events: [8, 7.01, 7, 6].map((days) => ({ ...place, ...daysAgo(app, days) })) },
    ]);
    const before = await listEvents(app);
    await run(app);
    expect(await listEvents(app)).toEqual(
      before.map((event) => (event.id <= 2 ? { ...event, contactId: null, ipAddress: null } : event)),
    );
    const { rows } = await dumpOf(app);
    expect(rows.event_changes).toEqual([
      { revision: 1, eventId: 1 },
      { revision: 2, eventId: 2 },
    ]);
    expect(rows.contacts).toMatchObject([{ publicId: "a", totalDownloads: 4 }]);
  });

  it("stay unchanged without that setting", async () => {
    const app = await startApp();
    await addContacts(app, [{ events: [daysAgo(app, 10_000)] }]);
    const { rows: before } = await dumpOf(app);
    await run(app);
    expect((await dumpOf(app)).rows).toEqual(before);
  });

  it("are deleted with their contact and its consents if the contact has no other event", async () => {
    const app = await startApp(WEEK);
    await app.make.published("The Well", "en");
    const consent = { marketing: true, textVersion: "1" };
    await linkTo(app.api, { slug: "the-well", languageCode: "en", consent });
    await addContacts(app, [
      { publicId: "old", events: [daysAgo(app, 9), daysAgo(app, 8)] },
      { publicId: "back", events: [daysAgo(app, 9), daysAgo(app, 1)] },
      { publicId: "without", events: [], firstDownloadAt: 0, lastDownloadAt: 0 },
      { publicId: "young", events: [], lastDownloadAt: app.clock.now() },
    ]);
    await run(app);
    expect(await idsOf(app)).toEqual([expect.any(String), "back", "young"]);
    expect((await dumpOf(app)).rows.consents).toHaveLength(1);
    app.clock.advance(8 * DAY);
    await run(app);
    expect(await idsOf(app)).toEqual([]);
    expect((await dumpOf(app)).rows.consents).toEqual([]);
    expect((await listEvents(app)).map(({ contactId }) => contactId)).toEqual([null, null, null, null, null]);
  });

  it("leave no trace in the ledger of consents by which their reader could be found", async () => {
    const app = await startApp(WEEK);
    await app.make.published("The Well", "en");
    const asked = { slug: "the-well", languageCode: "en" };
    await linkTo(app.api, { ...asked, consent: { marketing: true, textVersion: "1" } });
    app.clock.advance(8 * DAY);
    await linkTo(app.api, { ...asked, consent: { marketing: true, textVersion: "2" } });
    await run(app);
    expect((await dumpOf(app)).rows.consents).toMatchObject([
      { textVersion: "1", eventId: null, ipAddress: null },
      { textVersion: "2", eventId: 2, ipAddress: "127.0.0.1" },
    ]);
  });

  it("are found regardless of their number, and each run finds new ones", async () => {
    const app = await startApp(WEEK);
    const events = Array.from({ length: 1201 }, (_, index) => daysAgo(app, index % 2 === 0 ? 20 : 5));
    await addContacts(app, [{ events }]);
    const known = async () => (await listEvents(app)).filter(({ contactId }) => contactId !== null).length;
    await run(app);
    expect(await known()).toBe(600);
    expect((await dumpOf(app)).rows.event_changes).toHaveLength(601);
    await run(app);
    expect(await known()).toBe(600);
    app.clock.advance(3 * DAY);
    await run(app);
    expect(await known()).toBe(0);
    expect((await dumpOf(app)).rows.event_changes).toHaveLength(1201);
  });

  it("are found at the next start even if the clock has been set back and forth", async () => {
    const app = await startApp(WEEK);
    await run(app);
    await addContacts(app, [{ events: [daysAgo(app, 30)] }]);
    await run(app);
    const next = await startApp(WEEK, { dataDir: app.dataDir });
    await run(next);
    expect((await listEvents(next)).map(({ contactId }) => contactId)).toEqual([null]);
  });

  it("are reported in the log, unless there are none", async () => {
    const app = await startApp(WEEK);
    await addContacts(app, [{ events: [daysAgo(app, 9)] }]);
    await run(app);
    await run(app);
    const lines = app.logged.filter(({ msg }) => msg === "removed readers from old events");
    expect(lines).toMatchObject([{ events: 1, contacts: 1 }]);
  });
});

it("changes of events are kept, except those before the latest hundred thousand", async () => {
  const app = await startApp();
  const { database } = app.container;
  const rows = Array.from({ length: 1000 }, (_, eventId) => ({ eventId }));
  await database.commit(async () => {
    for (let thousand = 0; thousand < 102; thousand += 1)
      await database.writer.insertInto("event_changes").values(rows).execute();
  });
  await run(app);
  const kept = await database.read
    .selectFrom("event_changes")
    .select((eb) => [eb.fn.min("revision").as("oldest"), eb.fn.max("revision").as("newest")])
    .executeTakeFirst();
  expect(kept).toEqual({ oldest: 2001, newest: 102_000 });
});

describe("the daily run", () => {
  /** A retention whose days pass by themselves. */
  async function scene(write?: WriteRecords) {
    const app = await startApp();
    const { clock, database, log, stored } = app.container;
    const days = new FakeScheduler(app.clock);
    const events = new EventsRepository(database.report);
    const { writeRecords } = createWriters({ database, clock, addressStorage: "full" });
    const schedule = days.schedule;
    const deps = { events, write: write ?? writeRecords, stored, database, clock, schedule, log };
    const retention = new Retention({ ...deps, days: 7, removedFilesDays: 30, isClockTrusted: () => true });
    onTestFinished(() => retention.stop());
    const known = async () => (await listEvents(app)).filter(({ contactId }) => contactId !== null).length;
    return { app, days, retention, known };
  }

  it("happens at the start and every day from then on", async () => {
    const { app, days, retention, known } = await scene();
    await addContacts(app, [{ events: [8, 6.5, 5.5].map((ago) => daysAgo(app, ago)) }]);
    retention.start();
    await until(async () => expect(await known()).toBe(2));
    days.pass(DAY);
    await until(async () => expect(await known()).toBe(1));
    days.pass(DAY - 1);
    expect(days.due).toEqual([app.clock.now() + 1]);
    days.pass(1);
    await until(async () => expect(await known()).toBe(0));
  });

  it("is repeated after a failure, which is logged", async () => {
    const { app, days, retention } = await scene(() => Promise.reject(new Error("The disk is full")));
    const failures = () => app.logged.filter(({ level }) => level === 50);
    retention.start();
    await until(() => expect(failures()).toHaveLength(1));
    days.pass(DAY);
    await until(() => expect(failures()).toHaveLength(2));
    expect(failures()[1]).toMatchObject({ err: { message: "The disk is full" } });
  });

  it("ends with the transaction that is running when the container is closed", async () => {
    const { app, days, retention, known } = await scene();
    await addContacts(app, [{ events: Array.from({ length: 3000 }, () => daysAgo(app, 9)) }]);
    retention.start();
    await retention.stop();
    const left = await known();
    expect(left).toBeGreaterThan(0);
    expect(days.due).toEqual([]);
    await new Promise(setImmediate);
    expect(await known()).toBe(left);
  });
});
