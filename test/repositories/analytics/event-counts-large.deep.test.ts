/** The model with so many events that they fill pages and blocks, held against plain loops over the rows. */
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openReader, openWriter } from "../../../src/db/connection.ts";
import { openDatabase } from "../../../src/db/database.ts";
import { kyselyOver } from "../../../src/db/kysely.ts";
import { withStatementCache } from "../../../src/db/statement-cache.ts";
import type { CountQuestion } from "../../../src/repositories/event-counts/count-query.ts";
import { EventFeed, KeptEvents } from "../../../src/repositories/event-counts/event-feed.ts";
import type { EventFilter } from "../../../src/repositories/exports/download-log.ts";
import { responseOf } from "../../support/column-responses.ts";
import { inOrder, type KeyedCounts } from "../../support/counts-by-sql.ts";
import { EventRows, type GivenEvent } from "../../support/event-rows.ts";
import { tempFolder } from "../../support/temp-folder.ts";

const EVENTS = 100_000;
const CONTACTS = 3000;
const FIRST = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const SEED = 20_260_301;

/** Numbers from 0 up to a bound, the same each time (a linear congruence: its upper bits are good enough here). */
function numbersFrom(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const archives = new Map<string, string[]>();
const next = numbersFrom(SEED);
for (let archive = 0; archive < 12; archive += 1) {
  const books = Array.from({ length: 70 }, (_, book) => `book-${book}`);
  archives.set(
    `archive-${archive}`,
    books.filter(() => next(3) === 0),
  );
}

/** Many of some contacts, few of others. */
function newEvent(index: number): GivenEvent {
  const contact = Math.floor((next(CONTACTS) * next(CONTACTS)) / CONTACTS);
  const archiveId = next(5) === 0 ? `archive-${next(12)}` : null;
  return {
    downloadedAt: FIRST + Math.floor((index / EVENTS) * 90 * DAY) + next(DAY),
    redeemedAt: next(3) === 0 ? null : FIRST,
    contactId: next(40) === 0 ? null : 1 + contact,
    booksCount: archiveId === null ? 1 : (archives.get(archiveId)?.length ?? 0),
    bookId: `book-${next(80)}`,
    archiveId,
    languageId: 1 + next(9),
    countryCode: next(30) === 0 ? null : `C${next(50)}`,
    deviceType: ["mobile", "desktop", "tv"][next(3)] ?? "",
    isBot: next(20) === 0 ? 1 : 0,
  };
}

const booksOf = ({ archiveId, bookId }: GivenEvent): readonly (string | null)[] =>
  archiveId === null ? [bookId] : (archives.get(archiveId) ?? []);

const isWanted = (event: GivenEvent, filter: EventFilter): boolean =>
  (filter.includeBots || event.isBot === 0) &&
  event.downloadedAt >= (filter.from ?? -Infinity) &&
  event.downloadedAt < (filter.until ?? Infinity) &&
  (filter.languageId ?? event.languageId) === event.languageId &&
  (filter.countryCode === undefined || filter.countryCode === event.countryCode) &&
  (filter.deviceType ?? event.deviceType) === event.deviceType &&
  (filter.bookId === undefined || booksOf(event).includes(filter.bookId));

/** Of days, as a zone half an hour away has them. */
const starts = Float64Array.from({ length: 80 }, (_, day) => FIRST + day * DAY + DAY / 48);

function periodsOf({ downloadedAt }: GivenEvent): number[] {
  const start = starts[Math.floor((downloadedAt - FIRST - DAY / 48) / DAY)] ?? Infinity;
  return start < FIRST + 79 * DAY ? [start] : [];
}

const keysBy: Record<CountQuestion["by"], (event: GivenEvent) => readonly unknown[]> = {
  everything: () => [""],
  language: ({ languageId }) => [languageId],
  country: ({ countryCode }) => [countryCode],
  device: ({ deviceType }) => [deviceType],
  period: periodsOf,
  book: booksOf,
};

/** One event after the other, without any trick. */
function counted(events: readonly GivenEvent[], by: CountQuestion["by"]): KeyedCounts[] {
  const groups = new Map<unknown, Omit<KeyedCounts, "contacts"> & { contacts: Set<number> }>();
  for (const event of events) {
    const [downloads, books] = by === "book" ? [event.archiveId === null ? 1 : 0, 1] : [1, event.booksCount];
    for (const key of keysBy[by](event)) {
      const group = groups.get(key) ?? { key, downloads: 0, books: 0, redeemed: 0, contacts: new Set() };
      groups.set(key, group);
      group.downloads += downloads;
      group.books += books;
      if (event.redeemedAt !== null) group.redeemed += downloads;
      if (event.contactId !== null) group.contacts.add(event.contactId);
    }
  }
  return inOrder([...groups.values()].map((group) => ({ ...group, contacts: group.contacts.size })));
}

const filters: EventFilter[] = [
  { includeBots: true },
  { includeBots: false, from: FIRST + 20 * DAY + 1, until: FIRST + 60 * DAY - 1 },
  { includeBots: false, languageId: 3, deviceType: "tv" },
  { includeBots: false, bookId: "book-33", countryCode: "C7" },
];
async function setUp() {
  const folder = tempFolder();
  const file = join(folder, "database.sqlite");
  await (await openDatabase(file, folder)).close();
  const [writer, reader] = [openWriter(file), openReader(file)];
  writer.pragma("synchronous = off");
  onTestFinished(() => {
    writer.close();
    reader.close();
  });
  const kept = new KeptEvents(new EventFeed(kyselyOver(withStatementCache(reader))));
  return { writer, rows: new EventRows(writer), kept };
}

it("counts many events as loops over them do, before and after many of them have changed or gone", async () => {
  const { writer, rows, kept } = await setUp();
  const events = new Map<number, GivenEvent>();
  const insert = (count: number) => {
    for (let index = 0; index < count; index += 1) {
      const event = newEvent(index);
      rows.insert(event);
      events.set(events.size + 1, event);
    }
  };
  const expectCounts = async (asked: readonly EventFilter[]) => {
    const columns = await kept.upToDate();
    for (const filter of asked) {
      const wanted = [...events.values()].filter((event) => isWanted(event, filter));
      for (const by of ["everything", "language", "country", "device", "book", "period"] as const) {
        const question = by === "period" ? { by, filter, starts } : { by, filter };
        const response = responseOf(columns, question);
        expect(inOrder(response)).toEqual(counted(wanted, by));
      }
    }
  };
  writer.transaction(() => {
    for (const [id, books] of archives) rows.insertArchive(id, books);
    insert(EVENTS);
  })();
  await expectCounts(filters);

  writer.transaction(() => {
    insert(3000);
    const changed = rows.idsWhere("id % 67 = 0");
    rows.change(changed, { contactId: null, redeemedAt: null });
    for (const id of changed) Object.assign(events.get(id) ?? {}, { contactId: null, redeemedAt: null });
    const gone = rows.idsWhere("languageId = 4 and id % 3 = 0");
    rows.remove(gone);
    for (const id of gone) events.delete(id);
  })();
  await expectCounts(filters.slice(0, 2));
});
