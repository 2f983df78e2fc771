/** The counts of downloads as plain SQL, slow and simple: the expected values of the model in memory. */
import { expect } from "vitest";
import type { Db } from "../../src/db/kysely.ts";
import type { CountQuestion } from "../../src/repositories/event-counts/count-query.ts";
import type { Counts } from "../../src/repositories/event-counts/event-counts.ts";
import { campaignKey } from "../../src/repositories/event-counts/origins.ts";
import { type EventFilter, selectFilteredEvents } from "../../src/repositories/exports/download-log.ts";

/** Counts of a group, by what its events have in common. */
export type KeyedCounts = Counts & { key: unknown };

type Ask = (question: CountQuestion) => KeyedCounts[] | Promise<KeyedCounts[]>;

/** Expects every count with a filter to be that of the database. @param starts of periods */
export async function expectAsSql(
  db: Db,
  ask: Ask,
  filter: EventFilter,
  starts: readonly number[],
): Promise<void> {
  const [totals = { key: "", downloads: 0, books: 0, redeemed: 0, contacts: 0 }] = await ask({
    by: "everything",
    filter,
  });
  expect(totals).toEqual({ key: "", ...(await countTotalsBySql(db, filter)) });
  const inSomeOrder = async (question: CountQuestion) => sortByKey(await ask(question));
  expect(await inSomeOrder({ by: "language", filter })).toEqual(await countBySql(db, "languageId", filter));
  expect(await inSomeOrder({ by: "country", filter })).toEqual(await countBySql(db, "countryCode", filter));
  expect(await inSomeOrder({ by: "device", filter })).toEqual(await countBySql(db, "deviceType", filter));
  expect(await inSomeOrder({ by: "campaign", limit: Infinity, filter })).toEqual(
    await campaignsBySql(db, filter),
  );
  expect(await inSomeOrder({ by: "book", filter })).toEqual(await countBooksBySql(db, filter));
  const periods = await inSomeOrder({ by: "period", filter, starts: Float64Array.from(starts) });
  expect(periods).toEqual(await countPeriodsBySql(db, filter, starts));
}

export async function countBySql(
  db: Db,
  column: "languageId" | "countryCode" | "deviceType",
  filter: EventFilter,
): Promise<KeyedCounts[]> {
  const query = selectCounts(db, filter)
    .select((eb) => eb.ref(column).as("key"))
    .groupBy(column);
  return sortByKey(await query.execute());
}

export async function campaignsBySql(db: Db, filter: EventFilter): Promise<KeyedCounts[]> {
  const columns = ["utmSource", "utmMedium", "utmCampaign"] as const;
  const rows = await selectCounts(db, filter).select(columns).groupBy(columns).execute();
  return sortByKey(
    rows.map(({ utmSource, utmMedium, utmCampaign, ...counts }) => ({
      key: campaignKey({ utmSource, utmMedium, utmCampaign }),
      ...counts,
    })),
  );
}

export const countTotalsBySql = (db: Db, filter: EventFilter): Promise<Counts> =>
  selectCounts(db, filter).executeTakeFirstOrThrow();

/** @param starts of periods, and in the end that of the last one */
async function countPeriodsBySql(
  db: Db,
  filter: EventFilter,
  starts: readonly number[],
): Promise<KeyedCounts[]> {
  const rows: KeyedCounts[] = [];
  for (const [index, start] of starts.slice(0, -1).entries()) {
    const from = Math.max(start, filter.from ?? start);
    const end = starts[index + 1] ?? start;
    const until = Math.min(end, filter.until ?? end);
    const counts = await countTotalsBySql(db, { ...filter, from, until });
    if (counts.downloads > 0) rows.push({ key: start, ...counts });
  }
  return sortByKey(rows);
}

/** Alone is an event that names the book; with others, one whose archive held it. */
export async function countBooksBySql(db: Db, filter: EventFilter): Promise<KeyedCounts[]> {
  const alone = await selectFilteredEvents(db, filter)
    .where("archiveId", "is", null)
    .where("bookId", "is not", null)
    .select(["bookId", "contactId", "redeemedAt"])
    .execute();
  const whole = await db
    .selectFrom(selectFilteredEvents(db, filter).select(["archiveId", "contactId"]).as("event"))
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
  return sortByKey(rows);
}

const selectCounts = (db: Db, filter: EventFilter) =>
  selectFilteredEvents(db, filter).select((eb) => [
    eb.fn.countAll<number>().as("downloads"),
    eb.fn.coalesce(eb.fn.sum<number>("booksCount"), eb.lit(0)).as("books"),
    eb.fn.count<number>("redeemedAt").as("redeemed"),
    eb.fn.count<number>("contactId").distinct().as("contacts"),
  ]);

/** Any one order, in which two lists of the same rows are equal. */
const sortByKey = <R extends { key?: unknown }>(rows: readonly R[]): R[] =>
  rows.toSorted((one, other) => (String(one.key) < String(other.key) ? -1 : 1));
