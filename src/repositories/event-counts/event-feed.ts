/** Keeps the columns up to date with the table: reads new events by id, and changed events by revision. */
import type { Db } from "../../db/kysely.ts";
import { batchesOf } from "../../lib/collections.ts";
import { type CountedEvent, EventColumns } from "./event-columns.ts";

/** The position up to which the table has been read: the newest event and the newest change; 0 if there is none. */
interface FeedMark {
  eventId: number;
  revision: number;
}

interface FeedPage {
  /** Events that have changed or were deleted since they were read; the changed ones are also in `events`. */
  changed: ReadonlySet<number>;
  events: CountedEvent[];
  /** The books of archives that weren't known yet. */
  booksOf: ReadonlyMap<string, string[]>;
  mark: FeedMark;
  /** Whether nothing remained to be read at that time. */
  isLast: boolean;
}

/** Limits the number of parameters of a statement. */
const IDS_PER_STATEMENT = 500;
const EVENTS_PER_PAGE = 1000;

export class EventFeed {
  readonly #db: Db;
  readonly #eventsAPage: number;

  constructor(db: Db, { eventsAPage = EVENTS_PER_PAGE }: { eventsAPage?: number } = {}) {
    this.#db = db;
    this.#eventsAPage = eventsAPage;
  }

  /** The initial position: the events themselves contain all changes up to now. */
  async start(): Promise<FeedMark> {
    const { newest } = await this.#db
      .selectFrom("event_changes")
      .select((eb) => eb.fn.max<number | null>("revision").as("newest"))
      .executeTakeFirstOrThrow();
    return { eventId: 0, revision: newest ?? 0 };
  }

  /**
   * The next page of events and changes after the mark, from one read transaction.
   * @param isKnown whether the books of an event's archive are known
   * @returns undefined if changes since the mark were already pruned, so that all events must be read again
   */
  nextPage(
    { eventId, revision }: FeedMark,
    isKnown: (event: CountedEvent) => boolean,
  ): Promise<FeedPage | undefined> {
    const snapshot = this.#db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
    return snapshot.execute(async (db) => {
      if ((await oldestRevision(db)) > revision + 1) return undefined;
      const changes = await changesAfter(db, revision, this.#eventsAPage);
      const changed = new Set(changes.map((change) => change.eventId).filter((id) => id <= eventId));
      const added = await eventsAfter(db, eventId, this.#eventsAPage);
      const events = [...(await eventsWith(db, [...changed])), ...added];
      return {
        changed,
        events,
        booksOf: await booksOf(
          db,
          events.filter((event) => !isKnown(event)),
        ),
        mark: {
          eventId: added.at(-1)?.id ?? eventId,
          revision: changes.at(-1)?.revision ?? revision,
        },
        isLast: Math.max(changes.length, added.length) < this.#eventsAPage,
      };
    });
  }
}

interface Kept {
  columns: EventColumns;
  mark: FeedMark;
}

/** The columns of all events: initially read from the table, then updated incrementally. */
export class KeptEvents {
  readonly #feed: EventFeed;
  readonly #options: { deltaRows?: number | undefined };
  #kept: Kept | undefined;

  /** @param options.deltaRows number of new rows after which the delta is merged */
  constructor(feed: EventFeed, options: { deltaRows?: number | undefined } = {}) {
    this.#feed = feed;
    this.#options = options;
  }

  /** The columns in the current state of the table. */
  async upToDate(): Promise<EventColumns> {
    this.#kept ??= await this.#nothing();
    for (;;) {
      const { columns, mark } = this.#kept;
      const page = await this.#feed.nextPage(mark, (event) => columns.knows(event));
      if (page) this.#take(this.#kept, page);
      else this.#kept = await this.#nothing();
      if (page?.isLast) return columns;
    }
  }

  async #nothing(): Promise<Kept> {
    return { columns: new EventColumns(this.#options), mark: await this.#feed.start() };
  }

  /** Applies a page completely or not at all: a partial page would falsify all later counts. */
  #take(kept: Kept, { changed, events, booksOf, mark, isLast }: FeedPage): void {
    const { columns } = kept;
    try {
      columns.remove(changed);
      for (const event of events) columns.add(event, (archiveId) => booksOf.get(archiveId) ?? []);
      columns.mergeIfFull(!isLast);
    } catch (error) {
      this.#kept = undefined;
      throw error;
    }
    kept.mark = mark;
  }
}

/** If there are no changes on record, none have been pruned and the next one can have any revision. */
async function oldestRevision(db: Db): Promise<number> {
  const { oldest } = await db
    .selectFrom("event_changes")
    .select((eb) => eb.fn.min<number | null>("revision").as("oldest"))
    .executeTakeFirstOrThrow();
  return oldest ?? 0;
}

const changesAfter = (db: Db, revision: number, limit: number) =>
  db
    .selectFrom("event_changes")
    .select(["revision", "eventId"])
    .where("revision", ">", revision)
    .orderBy("revision")
    .limit(limit)
    .execute();

const countedEvents = (db: Db) =>
  db
    .selectFrom("download_events as event")
    .leftJoin("archives as archive", "archive.id", "event.archiveId")
    .select([
      "event.id",
      "event.downloadedAt",
      "event.redeemedAt",
      "event.contactId",
      "event.bookId",
      "event.archiveId",
      "archive.createdAt as archivedAt",
      "event.booksCount",
      "event.languageId",
      "event.countryCode",
      "event.deviceType",
      "event.isBot",
    ]);

const eventsAfter = (db: Db, id: number, limit: number): Promise<CountedEvent[]> =>
  countedEvents(db).where("event.id", ">", id).orderBy("event.id").limit(limit).execute();

async function eventsWith(db: Db, ids: readonly number[]): Promise<CountedEvent[]> {
  const events: CountedEvent[] = [];
  for (const some of batchesOf(ids, IDS_PER_STATEMENT)) {
    events.push(...(await countedEvents(db).where("event.id", "in", some).execute()));
  }
  return events;
}

async function booksOf(db: Db, events: readonly CountedEvent[]): Promise<Map<string, string[]>> {
  const books = new Map<string, string[]>();
  for (const { archiveId } of events) {
    if (archiveId === null || books.has(archiveId)) continue;
    const rows = await db
      .selectFrom("archive_books")
      .select("bookId")
      .where("archiveId", "=", archiveId)
      .execute();
    books.set(
      archiveId,
      rows.map(({ bookId }) => bookId),
    );
  }
  return books;
}
