/** The counts of downloads as plain SQL: slow, and plainly right. What the model in memory answers is held against it. */
import type { Db } from "../../src/db/kysely.ts";
import type { Counts } from "../../src/repositories/event-counts/event-counts.ts";
import { type EventFilter, filteredEvents } from "../../src/repositories/exports/download-log.ts";

/** Counts of a group, by what its events have in common. */
export type KeyedCounts = Counts & { key: unknown };

export async function countsBySql(
  db: Db,
  column: "languageId" | "countryCode" | "deviceType",
  filter: EventFilter,
): Promise<KeyedCounts[]> {
  const query = counted(db, filter)
    .select((eb) => eb.ref(column).as("key"))
    .groupBy(column);
  return inOrder(await query.execute());
}

export const totalsBySql = (db: Db, filter: EventFilter): Promise<Counts> =>
  counted(db, filter).executeTakeFirstOrThrow();

/** @param starts of periods, and in the end that of the last one */
export async function periodsBySql(
  db: Db,
  filter: EventFilter,
  starts: readonly number[],
): Promise<KeyedCounts[]> {
  const rows: KeyedCounts[] = [];
  for (const [index, start] of starts.slice(0, -1).entries()) {
    const from = Math.max(start, filter.from ?? start);
    const end = starts[index + 1] ?? start;
    const until = Math.min(end, filter.until ?? end);
    const counts = await totalsBySql(db, { ...filter, from, until });
    if (counts.downloads > 0) rows.push({ key: start, ...counts });
  }
  return inOrder(rows);
}

/** Alone is an event that names the book; with others, one whose archive held it. */
export async function booksBySql(db: Db, filter: EventFilter): Promise<KeyedCounts[]> {
  const alone = await filteredEvents(db, filter)
    .where("archiveId", "is", null)
    .where("bookId", "is not", null)
    .select(["bookId", "contactId", "redeemedAt"])
    .execute();
  const whole = await db
    .selectFrom(filteredEvents(db, filter).select(["archiveId", "contactId"]).as("event"))
    .innerJoin("archive_books", "archive_books.archiveId", "event.archiveId")
    .select(["archive_books.bookId", "event.contactId"])
    .execute();
  const deliveries = [
    ...alone.map((row) => ({ ...row, isAlone: true })),
    ...whole.map((row) => ({ ...row, redeemedAt: null, isAlone: false })),
  ];
  const byBook = Map.groupBy(deliveries, ({ bookId }) => bookId);
  const rows = [...byBook].map(([key, events]) => ({
    key,
    downloads: events.filter(({ isAlone }) => isAlone).length,
    books: events.length,
    redeemed: events.filter(({ redeemedAt }) => redeemedAt !== null).length,
    contacts: new Set(events.flatMap(({ contactId }) => contactId ?? [])).size,
  }));
  return inOrder(rows);
}

const counted = (db: Db, filter: EventFilter) =>
  filteredEvents(db, filter).select((eb) => [
    eb.fn.countAll<number>().as("downloads"),
    eb.fn.coalesce(eb.fn.sum<number>("booksCount"), eb.lit(0)).as("books"),
    eb.fn.count<number>("redeemedAt").as("redeemed"),
    eb.fn.count<number>("contactId").distinct().as("contacts"),
  ]);

/** Any one order, in which two lists of the same rows are equal. */
export const inOrder = <R extends { key?: unknown }>(rows: readonly R[]): R[] =>
  rows.toSorted((one, other) => (String(one.key) < String(other.key) ? -1 : 1));
