/** The model with so many events that they fill pages and blocks, and so many values that a byte can't number them, compared with plain SQL. */
import { it } from "vitest";
import { EventFeed, KeptEvents } from "../../../src/repositories/event-counts/event-feed.ts";
import type { EventFilter } from "../../../src/repositories/exports/download-log.ts";
import { createSeededRandom } from "../../../tools/lib/seeded-random.ts";
import { countAsWorker } from "../../support/column-responses.ts";
import { expectAsSql } from "../../support/counts-by-sql.ts";
import type { GivenEvent } from "../../support/event-rows.ts";
import { createEventsDatabase } from "../../support/events-database.ts";

const EVENTS = 100_000;
const CONTACTS = 3000;
const FIRST = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const SEED = 20_260_301;
/** More values than a byte has numbers. */
const MANY = 300;

const archives = new Map<string, string[]>();
const next = createSeededRandom(SEED);
for (let archive = 0; archive < 12; archive += 1) {
  const books = Array.from({ length: 70 }, (_, book) => `book-${book}`);
  archives.set(
    `archive-${archive}`,
    books.filter(() => next(3) === 0),
  );
}

/** Of clocks that are far behind or ahead: the model keeps seconds in 32 bits. */
const HALF = 2 ** 31 * 1000;
const ASTRAY = [0, 1, 1999, HALF - 1, HALF, HALF + 1000, 2 * HALF - 1];

/** One of few values, and at times one of many. */
const skewed = (few: number): number => (next(5) === 0 ? next(MANY) : next(few));

/** Many of some contacts, few of others. */
function newEvent(index: number): GivenEvent {
  const contact = Math.floor((next(CONTACTS) * next(CONTACTS)) / CONTACTS);
  const archiveId = next(5) === 0 ? `archive-${next(12)}` : null;
  return {
    downloadedAt:
      next(5000) === 0
        ? (ASTRAY[next(ASTRAY.length)] ?? 0)
        : FIRST + Math.floor((index / EVENTS) * 90 * DAY) + next(DAY),
    redeemedAt: next(3) === 0 ? null : FIRST,
    contactId: next(40) === 0 ? null : 1 + contact,
    booksCount: archiveId === null ? 1 : (archives.get(archiveId)?.length ?? 0),
    bookId: `book-${skewed(80)}`,
    archiveId,
    languageId: 1 + skewed(9),
    countryCode: next(30) === 0 ? null : `C${skewed(50)}`,
    deviceType: `device-${skewed(3)}`,
    isBot: next(20) === 0 ? 1 : 0,
    fileType: archiveId === null ? `type-${next(3)}` : "zip",
    utmSource: next(3) === 0 ? `source-${skewed(4)}` : null,
    // More campaigns than two bytes have numbers.
    utmCampaign: next(4) > 0 ? `campaign, ${index}` : "campaign",
  };
}

/** Of weeks, as a zone half an hour away has them, and those of the clocks that are astray. */
const starts = [
  ...[0, 1000],
  ...Array.from({ length: 12 }, (_, week) => FIRST + (7 * week + 1 / 48) * DAY),
  ...[HALF, HALF + 500, 2 * HALF - 500, 2 * HALF],
];

const filters: EventFilter[] = [
  { includeBots: true },
  { includeBots: true, from: 1999, until: 2 * HALF - 1 },
  { includeBots: true, from: 0, until: HALF },
  { includeBots: true, from: HALF - 1, until: HALF + 1000 },
  { includeBots: false, from: FIRST + 20 * DAY + 1, until: FIRST + 60 * DAY - 1 },
  { includeBots: false, languageId: 3, deviceType: "device-2" },
  { includeBots: false, bookId: "book-33", countryCode: "C7" },
  { includeBots: false, utmSource: "source-2", fileType: "type-1" },
  { includeBots: true, utmCampaign: "campaign", isRedeemed: false },
  { includeBots: false, isRedeemed: true, from: FIRST + 20 * DAY, until: FIRST + 60 * DAY },
];

it("the event counts equal those of SQL for many events, also after many changes", async () => {
  const { rows, db, inTransaction } = await createEventsDatabase();
  const kept = new KeptEvents(new EventFeed(db));
  const insert = async (count: number) => {
    for (let index = 0; index < count; index += 1) await rows.insert(newEvent(index));
  };
  const expectCounts = async (asked: readonly EventFilter[]) => {
    const columns = await kept.readUpToDate();
    for (const filter of asked)
      await expectAsSql(db, (question) => countAsWorker(columns, question, db), filter, starts);
  };
  await inTransaction(async () => {
    for (const [id, books] of archives) await rows.insertArchive(id, books);
    await insert(EVENTS);
  });
  await expectCounts(filters);

  await inTransaction(async () => {
    await insert(3000);
    await rows.change(await rows.findIds(({ id }) => id % 67 === 0), { contactId: null, redeemedAt: null });
    await rows.remove(await rows.findIds(({ id, languageId }) => languageId === 4 && id % 3 === 0));
  });
  await expectCounts(filters.slice(0, 2));
});
