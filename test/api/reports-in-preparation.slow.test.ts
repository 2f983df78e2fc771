/** Reports that are requested while all events are being read for them. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { FakeClock } from "../support/clock.ts";
import { addContacts } from "../support/contact-rows.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { FakeScheduler } from "../support/fake-scheduler.ts";

/** The reading takes longer than a few requests, also on a fast machine. */
const EVENTS = 300_000;
/** More could take longer than a statement may on a busy server. */
const COPIES_A_STATEMENT = 20_000;
const REPORTS = [
  "summary",
  "downloads",
  "by-date",
  "by-book",
  "by-country",
  "by-language",
  "by-device",
  "by-campaign",
];

async function startWithEvents() {
  const timers = new FakeScheduler(new FakeClock());
  const app = await startApp({}, { schedule: timers.schedule });
  await addContacts(app, [{}]);
  await addCopies(app, EVENTS - 1);
  return { app, timers, admin: await app.admin() };
}

/** Copies the first event. */
async function addCopies({ container: { database } }: TestApp, copies: number): Promise<void> {
  for (let left = copies; left > 0; left -= COPIES_A_STATEMENT) {
    const some = Math.min(left, COPIES_A_STATEMENT);
    await database.commit(async () => {
      await sql`insert into download_events ("downloadedAt", "isDownloadAll", "booksCount", "bookTitle", "fileType",
        "fileName", "languageId", "languageName", "languageCode", "deviceType", "browserName", "browserVersion",
        "osName", "osVersion", referrer, "isBot")
        with recursive n(i) as (select 1 union all select i + 1 from n where i < ${some})
        select "downloadedAt", 0, 1, '', '', '', 1, '', '', 'other', '', '', '', '', referrer, 0
        from download_events, n where id = 1`.execute(database.writer);
    });
  }
}

/** Lets ten seconds pass in each turn of the event loop, so that everything that waits gives up. */
async function passUntil<Value>(timers: FakeScheduler, settled: Promise<Value>): Promise<Value> {
  let isPending = true;
  const end = () => {
    isPending = false;
  };
  settled.then(end, end);
  while (isPending) {
    timers.pass(10_000);
    await nextTurn();
  }
  return settled;
}

const pathOf = (report: string) => `/api/admin/analytics/${report}`;

it("returns 503 with the progress of the reading after ten seconds, and the report when all is read", async () => {
  const { app, timers, admin } = await startWithEvents();
  const reports = async () => (await app.api.get("/api/health/ready")).body.reports;
  expect(await reports()).toBe("ready");
  const { eventCounts, reads } = app.container;
  const reading = eventCounts.warmUp(reads.events);
  await eventually(async () => expect(await reports()).toBe("reading"));
  const first = admin.get(pathOf("by-device"));
  await eventually(() => expect(timers.due).toHaveLength(1), { interval: 1 });
  timers.pass(9_999);
  expect(timers.due).toHaveLength(1);
  timers.pass(1);
  const requests = REPORTS.map((report) => admin.get(pathOf(report)));
  for (const response of await passUntil(timers, Promise.all([first, ...requests]))) {
    expectProblem(response, 503, { code: "reports_in_preparation" });
    expect(response.headers["retry-after"]).toBe("10");
    const { done, of } = response.body.progress;
    expect(done).toBeLessThan(EVENTS);
    expect(of).toBe(EVENTS);
  }
  // A report that is requested meanwhile waits.
  const waiting = admin.get(pathOf("by-device"));
  await reading;
  expect(await reports()).toBe("ready");
  for (const { status, body } of [await waiting, await admin.get(pathOf("by-device"))]) {
    const counted = body.data.map(({ totalDownloads }: { totalDownloads: number }) => totalDownloads);
    expect([status, counted]).toEqual([200, [EVENTS - 1, 1]]);
  }
  expect(timers.due).toEqual([]);
});
