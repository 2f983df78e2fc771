/** Every report on a query: as the service answers, and as its events are counted one by one. */
import { expect } from "vitest";
import type { TestApp } from "./app.ts";
import type { Client } from "./client.ts";
import {
  type Counted,
  countBy,
  countByBook,
  deliveredEvents,
  eventsLeft,
  localDay,
  type Query,
} from "./count-events.ts";

export const REPORTS = ["by-date", "by-book", "by-country", "by-language", "by-device"] as const;
export type Report = (typeof REPORTS)[number];

/** A row of any report. */
export type Row = Record<string, string | number>;

export async function rowsOf(analyst: Client, report: Report, query: Query = {}): Promise<Row[]> {
  const response = await analyst.get(`/api/admin/analytics/${report}?${new URLSearchParams(query)}`);
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  return response.body.data;
}

const KEYS = {
  "by-date": "date",
  "by-book": "bookId",
  "by-country": "countryCode",
  "by-language": "languageId",
  "by-device": "deviceType",
} as const;

/** The counts of a report's rows, by what they are about. */
export async function countsOf(analyst: Client, report: Report, query: Query = {}) {
  const rows = await rowsOf(analyst, report, query);
  const counts = new Map(
    rows.map(({ totalDownloads, totalBooks, uniqueContacts, redeemed, ...row }) => [
      row[KEYS[report]],
      { totalDownloads, totalBooks, uniqueContacts, redeemed },
    ]),
  );
  expect(counts.size).toBe(rows.length);
  return counts;
}

/** The first day of the period that a day lies in. */
const FIRST_DAYS: Readonly<Record<string, (day: string) => string>> = {
  day: (day) => day,
  week: (day) => {
    const date = Temporal.PlainDate.from(day);
    return date.subtract({ days: date.dayOfWeek - 1 }).toString();
  },
  month: (day) => `${day.slice(0, 7)}-01`,
  year: (day) => `${day.slice(0, 4)}-01-01`,
};

/** Holds each report, and the log, against the events that are in the database. */
export async function expectCounted(app: TestApp, analyst: Client, query: Query, granularity = "day") {
  const events = eventsLeft(await deliveredEvents(app), query);
  const dayOf = localDay(query.timezone);
  const firstDay = FIRST_DAYS[granularity] ?? String;
  const expected: Record<string, Map<unknown, Counted>> = {
    "by-date": countBy(events, ({ downloadedAt }) => firstDay(dayOf(downloadedAt))),
    "by-country": countBy(events, ({ countryCode }) => countryCode ?? ""),
    "by-language": countBy(events, ({ languageId }) => languageId),
    "by-device": countBy(events, ({ deviceType }) => deviceType),
    ...(query.bookId === undefined && { "by-book": countByBook(events) }),
  };
  const asked = REPORTS.filter((report) => report in expected);
  const found = await Promise.all(
    asked.map(async (report) => [
      report,
      await countsOf(analyst, report, report === "by-date" ? { ...query, granularity } : query),
    ]),
  );
  expect(Object.fromEntries(found)).toEqual(expected);
  const log = await analyst.get(`/api/admin/analytics/downloads?${new URLSearchParams(query)}&limit=200`);
  const newestFirst = events.toSorted((a, b) => b.downloadedAt - a.downloadedAt || b.id - a.id);
  expect(log.body.pagination.total).toBe(events.length);
  expect(log.body.downloads.map(({ id }: { id: string }) => id)).toEqual(
    newestFirst.slice(0, 200).map(({ id }) => String(id)),
  );
}
