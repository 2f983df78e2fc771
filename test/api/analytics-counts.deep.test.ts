/** Every report over random events, changes, dates, zones and filters, held against events that are counted one by one. */
import fc from "fast-check";
import { it } from "vitest";
import { startApp } from "../support/app.ts";
import type { Query } from "../support/count-events.ts";
import { type EventRows, type GivenEvent, rowsIn } from "../support/event-rows.ts";
import { idOf } from "../support/ids.ts";
import { expectCounted } from "../support/reports.ts";

const RUNS = Number(process.env.RUNS ?? 30);
const HOUR = 3_600_000;
const BOOKS = [idOf(1), idOf(2), idOf(3)];
const ARCHIVES = ["archive-1", "archive-2"];
const CONTACTS = [1, 2, 3, 4];

/** Samoa's lost day; clocks go forward in Newfoundland, then in Europe, and back; a year ends. */
const DAYS = ["2011-12-30", "2026-03-08", "2026-03-29", "2026-10-25", "2025-12-31"].map(Date.parse);
const ZONES = ["UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Kiritimati", "Pacific/Apia"];

/** Within a day and a half of those days, often at the edge of an hour. */
const time = fc
  .tuple(fc.constantFrom(...DAYS), fc.integer({ min: -36, max: 36 }), fc.constantFrom(-1, 0, 1, 1_800_000))
  .map(([day, hours, milliseconds]) => day + hours * HOUR + milliseconds);

const event: fc.Arbitrary<GivenEvent> = fc.record({
  downloadedAt: time,
  redeemedAt: fc.option(time, { freq: 1 }),
  contactId: fc.option(fc.constantFrom(...CONTACTS), { freq: 8 }),
  booksCount: fc.integer({ min: 1, max: 3 }),
  bookId: fc.constantFrom(...BOOKS),
  archiveId: fc.option(fc.constantFrom(...ARCHIVES), { freq: 1 }),
  languageId: fc.integer({ min: 1, max: 3 }),
  countryCode: fc.option(fc.constantFrom("KE", "IN")),
  deviceType: fc.constantFrom("mobile", "desktop"),
  isBot: fc.constantFrom(0, 0, 0, 1),
});

/** Two days or two instants, in their order. */
const dates = fc
  .tuple(time, time, fc.constantFrom(10, 24))
  .map(([one, other, length]) =>
    [one, other].sort((a, b) => a - b).map((at) => new Date(at).toISOString().slice(0, length)),
  );

const seldom = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

const query: fc.Arbitrary<Query> = fc
  .record({
    dates: fc.option(dates, { nil: undefined, freq: 1 }),
    startOnly: fc.boolean(),
    timezone: fc.option(fc.constantFrom(...ZONES), { nil: undefined }),
    languageId: seldom(fc.constantFrom("1", "2", "4")),
    bookId: seldom(fc.constantFrom(...BOOKS, idOf(4))),
    countryCode: seldom(fc.constantFrom("KE", "in", "FR")),
    deviceType: seldom(fc.constantFrom("mobile", "tv")),
    includeBots: fc.option(fc.constantFrom("true", "false"), { nil: undefined }),
  })
  .map(({ dates: [startDate, endDate] = [], startOnly, ...rest }) => {
    const given = { startDate, endDate: startOnly ? undefined : endDate, ...rest };
    return Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
  });

/** What may become of events: by a place among them, and by a contact. */
const change = fc.oneof(
  fc.record({ redeemed: fc.nat(10) }),
  fc.record({ gone: fc.nat(10) }),
  fc.record({ erased: fc.constantFrom(...CONTACTS) }),
  fc.record({ more: fc.array(event, { minLength: 1, maxLength: 5 }) }),
);
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

const granularity = fc.constantFrom("day", "week", "month", "year");

function insert(rows: EventRows, events: readonly GivenEvent[]): void {
  for (const event of events) {
    const { archiveId, booksCount } = event;
    if (archiveId !== null && !rows.hasArchive(archiveId))
      rows.insertArchive(archiveId, BOOKS.slice(0, booksCount));
    rows.insert(event);
  }
}

function apply(rows: EventRows, change: Change): void {
  const one = (place: number) => rows.idsWhere("true").slice(place, place + 1);
  if ("redeemed" in change)
    rows.change(one(change.redeemed), { redeemedAt: 1, countryCode: "FR", deviceType: "tv" });
  else if ("gone" in change) rows.remove(one(change.gone));
  else if ("erased" in change)
    rows.change(rows.idsWhere("contactId = ?", change.erased), { contactId: null });
  else insert(rows, change.more);
}

it(
  "the figures of every report are those of its events, whatever is asked and has changed",
  async () => {
    const app = await startApp();
    const analyst = await app.make.login("analyst");
    const rows = rowsIn(app);
    const events = fc.array(event, { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        events,
        query,
        granularity,
        change,
        query,
        async (events, first, period, change, second) => {
          rows.remove(rows.idsWhere("true"));
          insert(rows, events);
          await expectCounted(app, analyst, first, period);
          apply(rows, change);
          await expectCounted(app, analyst, second, period);
        },
      ),
      { numRuns: RUNS },
    );
  },
  1000 * RUNS,
);
