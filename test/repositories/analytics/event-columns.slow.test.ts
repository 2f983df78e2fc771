/** The model of the events in memory, held against plain SQL over random histories, questions and moments. */
import fc from "fast-check";
import { it } from "vitest";
import type { Db } from "../../../src/db/kysely.ts";
import type { CountQuestion } from "../../../src/repositories/event-counts/count-query.ts";
import { EventFeed, KeptEvents } from "../../../src/repositories/event-counts/event-feed.ts";
import type { EventFilter } from "../../../src/repositories/exports/download-log.ts";
import { countAsWorker } from "../../support/column-responses.ts";
import { expectAsSql } from "../../support/counts-by-sql.ts";
import type { EventRows, GivenEvent } from "../../support/event-rows.ts";
import { createEventsDatabase } from "../../support/events-database.ts";

/** More of them: `WALKS=500`. */
const HISTORIES = Number(process.env.WALKS ?? 50);
const NOON = Date.UTC(2026, 2, 1, 12);
const CONTACTS = [1, 2, 3, 4, 5, 8, 1000, 2 ** 29 - 1];
/** More than a word of a set of books has bits. */
const BOOKS = Array.from({ length: 40 }, (_, index) => `book-${index + 1}`);
const SOME_BOOKS = ["book-1", "book-2", "book-9", "book-33", "book-40"];
const ARCHIVES = ["archive-1", "archive-2", "archive-3"];

/** Within a few seconds, and on both sides of a quarter of an hour; a second's edges are likely. */
const time = fc
  .tuple(fc.constantFrom(-900, -1, 0, 1, 2, 899, 900), fc.constantFrom(0, 1, 499, 999))
  .map(([second, millisecond]) => NOON + second * 1000 + millisecond);
const rarely = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

/** With characters that separate or escape values when columns are read. */
const CAMPAIGNS = ["news", "a,b", "100%2C,%25"];
const campaignText = fc.constantFrom(null, ...CAMPAIGNS);

interface Insert {
  event: GivenEvent;
  /** What the archive holds if it isn't there yet. */
  held: string[];
}

const insert: fc.Arbitrary<Insert> = fc.record({
  event: fc.record({
    downloadedAt: time,
    redeemedAt: fc.option(fc.constant(NOON)),
    contactId: fc.option(fc.constantFrom(...CONTACTS), { freq: 8 }),
    booksCount: fc.constantFrom(1, 1, 1, 0, 2, 3),
    bookId: fc.option(fc.constantFrom(...SOME_BOOKS), { freq: 8 }),
    archiveId: fc.option(fc.constantFrom(...ARCHIVES), { freq: 2 }),
    languageId: fc.integer({ min: 1, max: 3 }),
    countryCode: fc.option(fc.constantFrom("KE", "DE")),
    deviceType: fc.constantFrom("mobile", "desktop", ""),
    isBot: fc.constantFrom(0, 0, 0, 1),
    fileType: fc.constantFrom("epub", "pdf", ""),
    utmSource: campaignText,
    utmMedium: fc.constantFrom(null, null, "email"),
    utmCampaign: campaignText,
  }),
  held: fc.oneof(fc.subarray(SOME_BOOKS), fc.subarray(BOOKS)),
});

const filter: fc.Arbitrary<EventFilter> = fc.record({
  from: rarely(time),
  until: rarely(time),
  languageId: rarely(fc.integer({ min: 1, max: 4 })),
  bookId: rarely(fc.constantFrom(...SOME_BOOKS, "book-41")),
  countryCode: rarely(fc.constantFrom("KE", "DE", "FR")),
  deviceType: rarely(fc.constantFrom("mobile", "", "tv")),
  fileType: rarely(fc.constantFrom("epub", "", "zip")),
  utmSource: rarely(fc.constantFrom(...CAMPAIGNS, "unknown")),
  utmMedium: rarely(fc.constant("email")),
  utmCampaign: rarely(fc.constantFrom(...CAMPAIGNS)),
  isRedeemed: rarely(fc.boolean()),
  includeBots: fc.boolean(),
});

const unevenStarts = fc
  .uniqueArray(time, { maxLength: 5 })
  .map((times) => times.toSorted((one, other) => one - other));
const evenStarts = fc
  .tuple(time, fc.constantFrom(2, 900, 901, 1800), fc.integer({ min: 1, max: 4 }))
  .map(([first, seconds, count]) =>
    Array.from({ length: count + 1 }, (_, period) => first + period * seconds * 1000),
  );

const write = fc.oneof(
  { weight: 8, arbitrary: fc.record({ insert: fc.array(insert, { minLength: 1, maxLength: 8 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      redeem: fc.nat(12),
      count: fc.integer({ min: 1, max: 4 }),
      archiveId: fc.constantFrom(...ARCHIVES, null),
    }),
  },
  { weight: 2, arbitrary: fc.record({ erase: fc.constantFrom(...CONTACTS) }) },
  { weight: 1, arbitrary: fc.record({ removeLanguage: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ removeNewest: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ prune: fc.constant(true) }) },
);
type Redemption = Extract<Write, { redeem: number }>;
type Write = typeof write extends fc.Arbitrary<infer W> ? W : never;

const step = fc.oneof(
  { weight: 18, arbitrary: write },
  { weight: 3, arbitrary: fc.record({ meanwhile: fc.array(write, { minLength: 1, maxLength: 5 }) }) },
  { weight: 3, arbitrary: fc.record({ restart: fc.constant(true) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      ask: filter,
      starts: fc.oneof(unevenStarts, evenStarts),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

type Interruption = () => Promise<void>;

/** While it reads a page, others write. */
class InterruptedFeed extends EventFeed {
  readonly #interruptions: Interruption[] = [];
  #writing = Promise.resolve();

  interruptBy(interruptions: readonly Interruption[]): void {
    this.#interruptions.push(...interruptions);
  }

  /** Does what has interrupted nothing, and waits for all. */
  async finishWriting(): Promise<void> {
    await this.#writing;
    for (const write of this.#interruptions.splice(0)) await write();
  }

  override readNextPage(...[mark, isKnown]: Parameters<EventFeed["readNextPage"]>) {
    return super.readNextPage(mark, this.#interrupted(isKnown));
  }

  override readEventsAfter(...[id, isKnown]: Parameters<EventFeed["readEventsAfter"]>) {
    return super.readEventsAfter(id, this.#interrupted(isKnown));
  }

  #interrupted<E>(isKnown: (event: E) => boolean): (event: E) => boolean {
    return (event) => {
      this.#writing = this.#writing.then(this.#interruptions.shift());
      return isKnown(event);
    };
  }
}

interface Limits {
  deltaRows: number;
  eventsAPage: number;
  readsColumns: boolean;
}

/** The events of the database, asked as the worker asks them. */
class Model {
  readonly #db: Db;
  readonly #limits: Limits;
  readonly #feed: InterruptedFeed;
  #events: KeptEvents;

  constructor(db: Db, limits: Limits) {
    this.#db = db;
    this.#limits = limits;
    this.#feed = new InterruptedFeed(db, limits);
    this.#events = new KeptEvents(this.#feed, limits);
  }

  restart(): void {
    this.#events = new KeptEvents(this.#feed, this.#limits);
  }

  async readDuring(writes: readonly Interruption[]): Promise<void> {
    this.#feed.interruptBy(writes);
    await this.#events.readUpToDate();
    await this.#feed.finishWriting();
  }

  /** Expects every count with a filter to be that of the database. */
  expectAsSql(filter: EventFilter, starts: readonly number[]): Promise<void> {
    const ask = async (question: CountQuestion) =>
      countAsWorker(await this.#events.readUpToDate(), question, this.#db);
    return expectAsSql(this.#db, ask, filter, starts);
  }
}

type Database = Awaited<ReturnType<typeof createEventsDatabase>>;

async function take(step: Step, database: Database, model: Model): Promise<void> {
  if ("restart" in step) model.restart();
  else if ("ask" in step) await model.expectAsSql(step.ask, step.starts);
  else if ("meanwhile" in step)
    await model.readDuring(step.meanwhile.map((each) => () => put(each, database)));
  else await put(step, database);
}

const put = (write: Write, { rows, inTransaction }: Database): Promise<void> =>
  inTransaction(() => putAll(write, rows));

async function putAll(write: Write, rows: EventRows): Promise<void> {
  if ("insert" in write) for (const each of write.insert) await insertInto(rows, each);
  else if ("redeem" in write) await redeem(rows, write);
  else if ("erase" in write)
    await rows.change(await rows.findIds(({ contactId }) => contactId === write.erase), { contactId: null });
  else if ("removeLanguage" in write)
    await rows.remove(await rows.findIds(({ languageId }) => languageId === write.removeLanguage));
  else if ("removeNewest" in write) await rows.remove((await rows.findIds()).slice(-write.removeNewest));
  else await rows.pruneChanges();
}

async function insertInto(rows: EventRows, { event, held }: Insert): Promise<void> {
  const { archiveId } = event;
  if (archiveId !== null && !(await rows.hasArchive(archiveId))) await rows.insertArchive(archiveId, held);
  await rows.insert(event);
}

/** The reader who downloads may come from elsewhere, and get another archive than was asked for. */
async function redeem(rows: EventRows, { redeem, count, archiveId }: Redemption): Promise<void> {
  // Of the newest, some of which aren't in the base yet.
  const ids = (await rows.findIds()).toReversed().slice(redeem, redeem + count);
  await rows.change(ids, { redeemedAt: NOON, countryCode: "DE", deviceType: "mobile" });
  const whole = await rows.findIds((event) => ids.includes(event.id) && event.archiveId !== null);
  if (archiveId !== null && (await rows.hasArchive(archiveId)))
    await rows.change(whole, { archiveId, booksCount: 2 });
}

it("the event columns return the same counts as SQL after any sequence of changes", async () => {
  const limits = fc.record({
    deltaRows: fc.integer({ min: 1, max: 20 }),
    eventsAPage: fc.integer({ min: 1, max: 8 }),
    readsColumns: fc.boolean(),
  });
  const database = await createEventsDatabase();
  await fc.assert(
    fc.asyncProperty(limits, fc.array(step, { maxLength: 25 }), filter, async (limits, steps, filter) => {
      database.clear();
      const model = new Model(database.db, limits);
      const starts = [NOON - 900_000, NOON, NOON + 1_001, NOON + 1e6];
      for (const [index, step] of steps.entries()) {
        await take(step, database, model);
        // Always the same question: most of its response was counted before.
        if (index % 4 === 0) await model.expectAsSql(filter, starts);
      }
      await model.expectAsSql(filter, starts);
      model.restart();
      await model.expectAsSql(filter, starts);
    }),
    { numRuns: HISTORIES },
  );
});
