/** Counts events one by one, as the expected values of reports. */
import type { EventRow } from "../../src/repositories/events.repository.ts";
import type { TestApp } from "./app.ts";
import { eventsOf } from "./reader.ts";

/** An event with the books that it delivered. */
export type DeliveredEvent = EventRow & { bookIds: string[] };

/** As it stands in the address of a report. */
export type Query = Readonly<Record<string, string>>;

/** What of it is counted. */
export type Countable = Pick<EventRow, "bookId" | "booksCount" | "redeemedAt"> & {
  contactId: number | string | null;
  bookIds: readonly string[];
};

export interface Counted {
  totalDownloads: number;
  totalBooks: number;
  uniqueContacts: number;
  redeemed: number;
}

export async function deliveredEvents(app: TestApp): Promise<DeliveredEvent[]> {
  const members = await app.container.database.read.selectFrom("archive_books").selectAll().execute();
  return (await eventsOf(app)).map((event) => ({
    ...event,
    bookIds: members.filter(({ archiveId }) => archiveId === event.archiveId).map(({ bookId }) => bookId),
    ...(event.bookId !== null && { bookIds: [event.bookId] }),
  }));
}

/** The day on the calendar of a time zone: `2026-03-29`. */
export function localDay(timeZone = "UTC"): (at: number) => string {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" });
  return (at) => format.format(at);
}

/** The events that a query leaves: days are compared as a calendar in the time zone shows them. */
export function eventsLeft(events: readonly DeliveredEvent[], query: Query): DeliveredEvent[] {
  const { startDate, endDate, timezone, languageId, bookId, countryCode, deviceType, includeBots } = query;
  const dayOf = localDay(timezone);
  const isNotBefore = (at: number, date: string) =>
    date.includes("T") ? at >= Date.parse(date) : dayOf(at) >= date;
  const isNotAfter = (at: number, date: string) =>
    date.includes("T") ? at <= Date.parse(date) : dayOf(at) <= date;
  return events.filter(
    (event) =>
      (includeBots === "true" || event.isBot === 0) &&
      (startDate === undefined || isNotBefore(event.downloadedAt, startDate)) &&
      (endDate === undefined || isNotAfter(event.downloadedAt, endDate)) &&
      (languageId === undefined || event.languageId === Number(languageId)) &&
      (bookId === undefined || event.bookIds.includes(bookId)) &&
      (countryCode === undefined || event.countryCode === countryCode.toUpperCase()) &&
      (deviceType === undefined || event.deviceType === deviceType),
  );
}

export function countOf(events: readonly Countable[]): Counted {
  const contacts = new Set<number | string>();
  const counted = { totalDownloads: 0, totalBooks: 0, uniqueContacts: 0, redeemed: 0 };
  for (const { booksCount, contactId, redeemedAt } of events) {
    counted.totalDownloads += 1;
    counted.totalBooks += booksCount;
    if (redeemedAt !== null) counted.redeemed += 1;
    if (contactId !== null) contacts.add(contactId);
  }
  return { ...counted, uniqueContacts: contacts.size };
}

/** Of each book: downloads of it alone, and with it within whole languages. */
export function countByBook(events: readonly Countable[]): Map<string, Counted> {
  const books = new Set(events.flatMap(({ bookIds }) => bookIds));
  return new Map([...books].map((bookId) => [bookId, countOfBook(events, bookId)]));
}

/** Of one book: downloads of it alone, and with it within whole languages. */
export function countOfBook(events: readonly Countable[], bookId: string): Counted {
  const delivered = events.filter(({ bookIds }) => bookIds.includes(bookId));
  const alone = countOf(delivered.filter((event) => event.bookId === bookId));
  return { ...alone, totalBooks: delivered.length, uniqueContacts: countOf(delivered).uniqueContacts };
}

/** The counts of each group, by its key. */
export function countBy<E extends Countable, K>(
  events: readonly E[],
  keyOf: (event: E) => K,
): Map<K, Counted> {
  const groups = Map.groupBy(events, keyOf);
  return new Map([...groups].map(([key, group]) => [key, countOf(group)]));
}
