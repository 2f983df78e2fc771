/** A clock that is ahead makes nothing old that is to be forgotten. */
import { describe, expect, it, onTestFinished } from "vitest";
import { EventsRepository } from "../../src/repositories/events.repository.ts";
import { createRecordRepositories, createWriters } from "../../src/repositories/index.ts";
import { ClockTrust } from "../../src/services/doctor/clock-trust.ts";
import { Retention } from "../../src/services/retention.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { addContacts } from "../support/contact-rows.ts";
import { eventually } from "../support/eventually.ts";
import { FakeScheduler } from "../support/fake-scheduler.ts";
import { listEvents } from "../support/reader.ts";
import { runCli } from "../support/run-cli.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The schedules of a service on the data folder of `app`, as from a start on. */
function start(app: TestApp) {
  const { clock, database, log, stored } = app.container;
  const { writeRecords: write } = createWriters({ database, clock, addressStorage: "full" });
  const { installation } = createRecordRepositories(database.read);
  const timers = new FakeScheduler(app.clock);
  const deps = { write, database, clock, schedule: timers.schedule, log };
  const trust = new ClockTrust({ ...deps, installation });
  const events = new EventsRepository(database.report);
  const isClockTrusted = () => trust.isTrusted();
  const retention = new Retention({ ...deps, stored, events, days: 7, removedFilesDays: 30, isClockTrusted });
  const stop = async () => {
    await retention.stop();
    await trust.stop();
  };
  onTestFinished(stop);
  trust.start();
  retention.start();
  const recorded = (at: number) => until(async () => expect((await installation.read()).lastHour).toBe(at));
  return { timers, trust, stop, recorded };
}

/** Threads start slowly on a busy machine. */
const until = (work: () => unknown) => eventually(work);

const known = async (app: TestApp) =>
  (await listEvents(app)).filter(({ contactId }) => contactId !== null).length;

const warnings = (app: TestApp) =>
  app.logged.filter(({ msg }) => String(msg).startsWith("the clock is far ahead"));

const examine = async (app: TestApp) =>
  (await app.container.services.doctor.examine({ deep: false, cloud: false })).findings;

const doctorFinds = async (app: TestApp) =>
  (await examine(app)).filter(({ check }) => check === "clock_ahead");

describe("old events and contacts", () => {
  it("are deleted an hour after a start whose first record of the hour failed", async () => {
    const app = await startApp();
    await addContacts(app, [{ events: [{ downloadedAt: app.clock.now() - 8 * DAY }] }]);
    const { database } = app.container;
    const rename = (from: string, to: string) =>
      database.commit(() =>
        database.writer.schema.alterTable("installation").renameColumn(from, to).execute(),
      );
    await rename("lastHour", "lastHourAway");
    const { timers, recorded } = start(app);
    const failed = () => app.logged.some(({ msg }) => String(msg).startsWith("could not record the current"));
    await until(() => expect(failed()).toBe(true));
    await rename("lastHourAway", "lastHour");
    timers.pass(MINUTE);
    await recorded(app.clock.now());
    timers.pass(HOUR - MINUTE);
    timers.pass(MINUTE);
    await until(async () => expect(await known(app)).toBe(0));
  });

  it("are found by the doctor two days after they should have been removed", async () => {
    const app = await startApp({ EVENT_RETENTION_DAYS: "7" });
    const found = async () => (await examine(app)).filter(({ check }) => check === "overdue_readers");
    await addContacts(app, [{ events: [{ downloadedAt: app.clock.now() - 8 * DAY }] }]);
    expect(await found()).toEqual([]);
    app.clock.advance(2 * DAY);
    expect(await found()).toMatchObject([{ severity: "warning", object: { kind: "events" } }]);
    const { timers, recorded } = start(app);
    await recorded(app.clock.now());
    timers.pass(HOUR);
    await recorded(app.clock.now());
    timers.pass(MINUTE);
    await until(async () => expect(await found()).toEqual([]));
  });

  it("are deleted an hour after a start, not before", async () => {
    const app = await startApp();
    await addContacts(app, [{ events: [{ downloadedAt: app.clock.now() - 8 * DAY }] }]);
    const { timers, trust, recorded } = start(app);
    await recorded(app.clock.now());
    timers.pass(HOUR - 1);
    expect(trust.isTrusted()).toBe(false);
    expect(await known(app)).toBe(1);
    timers.pass(1);
    expect(trust.isTrusted()).toBe(true);
    await recorded(app.clock.now());
    // It looks each minute.
    timers.pass(MINUTE);
    await until(async () => expect(await known(app)).toBe(0));
  });

  it("stay while the clock is more than 30 days ahead of the last recorded hour, until --trust-clock", async () => {
    const app = await startApp();
    await addContacts(app, [{ events: [{ downloadedAt: app.clock.now() - DAY }] }]);
    const first = start(app);
    const lastHour = app.clock.now();
    await first.recorded(lastHour);
    await first.stop();
    expect(await doctorFinds(app)).toEqual([]);

    app.clock.advance(800 * DAY);
    const { timers, trust, recorded } = start(app);
    await until(() => expect(warnings(app)).toMatchObject([{ days: 800 }]));
    for (let hour = 1; hour <= 3; hour += 1) {
      timers.pass(HOUR);
      expect(trust.isTrusted()).toBe(false);
      await until(() => expect(warnings(app)).toHaveLength(hour + 1));
    }
    await recorded(lastHour);
    expect(await known(app)).toBe(1);
    expect(await doctorFinds(app)).toMatchObject([
      { message: expect.stringMatching(/^The clock is 800 days ahead/) },
    ]);

    // Set right again: as if nothing had happened.
    app.clock.advance(-800 * DAY);
    const again = start(app);
    await again.recorded(lastHour + 3 * HOUR);
    again.timers.pass(HOUR);
    expect(again.trust.isTrusted()).toBe(true);
  });

  it("stay if the clock jumps while the service runs", async () => {
    const app = await startApp();
    const { timers, trust, recorded } = start(app);
    timers.pass(HOUR);
    await recorded(app.clock.now());
    expect(trust.isTrusted()).toBe(true);
    app.clock.advance(30 * DAY);
    expect(trust.isTrusted()).toBe(true);
    app.clock.advance(1);
    expect(trust.isTrusted()).toBe(false);
  });

  it("are deleted after doctor --trust-clock", async () => {
    const app = await startApp();
    // The command looks at the true clock, which is far ahead of this one.
    const { recorded, stop } = start(app);
    await recorded(app.clock.now());
    await stop();
    const variables = { DATA_DIR: app.dataDir };
    const before = await runCli({ args: ["doctor"], variables });
    expect(before.out).toContain(
      "Correct the clock of this machine. If it is right, run: bookdist doctor --trust-clock",
    );
    expect(before.out).toMatch(/ 1 {2}clock that is far ahead \(clock_ahead\)\n/);
    expect(await runCli({ args: ["doctor", "--trust-clock"], variables })).toMatchObject({
      code: 0,
      out: expect.stringMatching(/ 0 {2}clock that is far ahead \(clock_ahead\)\n/),
    });
    const { installation } = createRecordRepositories(app.container.database.read);
    const { lastHour } = await installation.read();
    expect(Math.abs((lastHour ?? 0) - Date.now())).toBeLessThan(DAY);
  });
});

it("expired sessions stay in the first hour", async () => {
  const app = await startApp({ SESSION_TTL_SECONDS: "60" });
  await app.make.login("editor");
  const sessions = async () =>
    (await app.container.database.read.selectFrom("sessions").select("id").execute()).length;
  const before = await sessions();
  app.clock.advance(DAY);
  await app.make.login("viewer");
  expect(await sessions()).toBe(before + 1);
});
