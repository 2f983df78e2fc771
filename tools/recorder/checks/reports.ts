/** The counts of the reports against a plain count of the events. */
import {
  analyticsSummary,
  byDate,
  byLanguage,
  downloadsOfPeriod,
} from "../../../src/schemas/analytics-reports.schemas.ts";
import type { ServiceClient } from "../../lib/service-client.ts";
import type { Findings } from "./findings.ts";
import type { EventRow } from "./records.ts";

const DATE_CHARACTERS = 10;

export async function checkReports(
  rows: readonly EventRow[],
  admin: ServiceClient,
  findings: Findings,
): Promise<void> {
  const path = "/api/admin/analytics";
  const [languages, dates, { totals }] = await Promise.all([
    admin.read(`${path}/by-language`, byLanguage),
    admin.read(`${path}/by-date`, byDate),
    admin.read(`${path}/summary`, analyticsSummary),
  ]);
  const { downloads, books, contacts, redeemed } = totals;
  const whole = { totalDownloads: downloads, totalBooks: books, uniqueContacts: contacts, redeemed };
  const compare = (what: string, given: unknown, counted: readonly EventRow[]) => {
    const [reported, plain] = [
      JSON.stringify(reportedCounts.parse(given)),
      JSON.stringify(countEvents(counted)),
    ];
    findings.compared += 1;
    if (reported !== plain) findings.addLoss(`the counts of ${what} are ${reported} in place of ${plain}`);
  };
  compare("all downloads", whole, rows);
  const ofLanguage = Map.groupBy(rows, ({ languageCode }) => languageCode);
  for (const [code, events] of ofLanguage) {
    compare(
      code,
      languages.data.find(({ languageCode }) => languageCode === code) ?? countEvents([]),
      events,
    );
  }
  const ofDate = Map.groupBy(rows, ({ downloadedAt }) => downloadedAt.slice(0, DATE_CHARACTERS));
  for (const [day, events] of ofDate) {
    compare(day, dates.data.find(({ date }) => date === day) ?? countEvents([]), events);
  }
}

const reportedCounts = downloadsOfPeriod.omit({ date: true });

const countEvents = (events: readonly EventRow[]) => ({
  totalDownloads: events.length,
  totalBooks: events.reduce((sum, { booksCount }) => sum + booksCount, 0),
  uniqueContacts: new Set(events.map(({ contactEmail }) => contactEmail).filter((email) => email !== ""))
    .size,
  redeemed: events.filter(({ redeemedAt }) => redeemedAt !== "").length,
});
