/** The reports as the service returns them. */
import { expect } from "vitest";
import { bodyOf, type Client } from "./client.ts";

export const REPORTS = ["by-date", "by-book", "by-country", "by-language", "by-device"] as const;
export type Report = (typeof REPORTS)[number];

export type Query = Readonly<Record<string, string>>;

/** A row of any report. */
export type Row = Record<string, string | number>;

export async function readRows(analyst: Client, report: Report, query: Query = {}): Promise<Row[]> {
  return (await bodyOf(analyst.get(`/api/admin/analytics/${report}?${new URLSearchParams(query)}`))).data;
}

const KEYS = {
  "by-date": "date",
  "by-book": "bookId",
  "by-country": "countryCode",
  "by-language": "languageId",
  "by-device": "deviceType",
} as const;

/** The counts of a report's rows, by what they are about. */
export async function readCounts(analyst: Client, report: Report, query: Query = {}) {
  const rows = await readRows(analyst, report, query);
  const counts = new Map(
    rows.map(({ totalDownloads, totalBooks, uniqueContacts, redeemed, ...row }) => [
      row[KEYS[report]],
      { totalDownloads, totalBooks, uniqueContacts, redeemed },
    ]),
  );
  expect(counts.size).toBe(rows.length);
  return counts;
}
