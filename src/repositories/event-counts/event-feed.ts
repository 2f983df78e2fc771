/** Keeps the columns up to date with the table: reads new events by id, and changed events by revision. */
import type { Db } from "../../db/kysely.ts";
import { splitIntoBatches } from "../../lib/collections.ts";
import { EventColumns } from "./event-columns.ts";
import {
  type CountedEvent,
  type EventQuery,
  IDS_PER_STATEMENT,
  type ReadEvents,
  readColumns,
  readRows,
  selectCountedEvents,
} from "./event-pages.ts";
import type { ReadingProgress } from "./reading-progress.ts";

/** The position up to which the table has been read: the newest event and the newest change; 0 if there is none. */
interface FeedMark {
  eventId: number;
  revision: number;
}

interface EventPage {
  events: CountedEvent[];
  /** The books of archives that weren't known yet. */
  booksOf: ReadonlyMap<string, string[]>;
}

interface FeedPage extends EventPage {
  /** Events that have changed or were deleted since they were read; the changed ones are also in `events`. */
  changed: ReadonlySet<number>;
  mark: FeedMark;
  /** Whether nothing remained to be read at that time. */
  isLast: boolean;
}

/** Whether the books of an event's archive are known. */
type IsKnown = (event: CountedEvent) => boolean;

interface EventFeedOptions {
  eventsAPage?: number;
  /** Whether columns are read in place of rows. */
  readsColumns?: boolean;
  /** From which all events are read at the beginning: a replica may lack the newest. */
  initial?: Db;
}

const EVENTS_PER_PAGE = 1000;

export class EventFeed {
  readonly #db: Db;
  #initial: Db;
  readonly #eventsAPage: number;
  readonly #read: ReadEvents;

  constructor(
    db: Db,
    { eventsAPage = EVENTS_PER_PAGE, readsColumns = false, initial = db }: EventFeedOptions = {},
  ) {
    this.#db = db;
    this.#initial = initial;
    this.#eventsAPage = eventsAPage;
    this.#read = readsColumns ? readColumns : readRows;
  }

  /** The initial position: the events themselves contain all changes up to now. `findNewestId` is the end of the reading. */
  async start(): Promise<FeedMark & { newestId: number }> {
    const { newest } = await this.#initial
      .selectFrom("event_changes")
      .select((eb) => eb.fn.max<number | null>("revision").as("newest"))
      .executeTakeFirstOrThrow();
    const { newestId } = await this.#initial
      .selectFrom("download_events")
      .select((eb) => eb.fn.max<number | null>("id").as("newestId"))
      .executeTakeFirstOrThrow();
    return { eventId: 0, revision: newest ?? 0, newestId: newestId ?? 0 };
  }

  /** The next page of events by id, without changes; empty if there is none. */
  async readEventsAfter(id: number, isKnown: IsKnown): Promise<EventPage> {
    const db = this.#initial;
    const events = await this.#read(db, readEventsAfter(db, id, this.#eventsAPage));
    return { events, booksOf: await findBooks(db, events, isKnown) };
  }

  /**
   * The next page of events and changes after the mark, from one read transaction.
   * @returns undefined if changes since the mark were already pruned, so that all events must be read again
   */
  readNextPage({ eventId, revision }: FeedMark, isKnown: IsKnown): Promise<FeedPage | undefined> {
    const snapshot = this.#db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
    return snapshot.execute(async (db) => {
      if ((await findOldestRevision(db)) > revision + 1) {
        // A replica that lags so far would do so again.
        this.#initial = this.#db;
        return undefined;
      }
      const changes = await selectChangesAfter(db, revision, this.#eventsAPage);
      const changed = new Set(changes.map((change) => change.eventId).filter((id) => id <= eventId));
      const added = await this.#read(db, readEventsAfter(db, eventId, this.#eventsAPage));
      const events = [...(await this.#readEvents(db, [...changed])), ...added];
      return {
        changed,
        events,
        booksOf: await findBooks(db, events, isKnown),
        mark: {
          eventId: added.at(-1)?.id ?? eventId,
          revision: changes.at(-1)?.revision ?? revision,
        },
        isLast: Math.max(changes.length, added.length) < this.#eventsAPage,
      };
    });
  }

  async #readEvents(db: Db, ids: readonly number[]): Promise<CountedEvent[]> {
    const events: CountedEvent[] = [];
    for (const some of splitIntoBatches(ids, IDS_PER_STATEMENT)) {
      events.push(...(await this.#read(db, selectCountedEvents(db).where("event.id", "in", some))));
    }
    return events;
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
  readonly #progress: ReadingProgress | undefined;
  #kept: Kept | undefined;

  /**
   * @param options.deltaRows number of new rows after which the delta is merged
   * @param progress where the reading of all events says how far it is, and rests; without it, it doesn't rest
   */
  constructor(feed: EventFeed, options: { deltaRows?: number | undefined } = {}, progress?: ReadingProgress) {
    this.#feed = feed;
    this.#options = options;
    this.#progress = progress;
  }

  /** The columns in the current state of the table, after reading all events if necessary. */
  async readUpToDate(): Promise<EventColumns> {
    for (;;) {
      this.#kept ??= await this.#load();
      const columns = await this.updated();
      if (columns) return columns;
    }
  }

  /** The columns in the current state of the table; undefined if that takes reading all events. */
  async updated(): Promise<EventColumns | undefined> {
    while (this.#kept) {
      const { columns, mark } = this.#kept;
      const page = await this.#feed.readNextPage(mark, (event) => columns.knows(event));
      if (page) this.#take(this.#kept, page);
      else this.#kept = undefined;
      if (page?.isLast) return columns;
    }
    return undefined;
  }

  /** Reads all events. What changes meanwhile has a revision after that of the mark. */
  async #load(): Promise<Kept> {
    const columns = new EventColumns(this.#options);
    const isKnown = (event: CountedEvent) => columns.knows(event);
    const restAfterWork = this.#progress && restBetween(this.#progress);
    const add = async ({ events, booksOf }: EventPage) => {
      // Until then the request for the next page has been sent: a server reads that page meanwhile.
      await new Promise(setImmediate);
      addEvents(columns, events, booksOf);
      columns.mergeIfFull(true);
      restAfterWork?.();
    };
    const { newestId, ...mark } = await this.#feed.start();
    this.#progress?.begin(newestId);
    let page = await this.#feed.readEventsAfter(mark.eventId, isKnown);
    for (let last = page.events.at(-1); last; last = page.events.at(-1)) {
      mark.eventId = last.id;
      this.#progress?.advance(last.id);
      [page] = await Promise.all([this.#feed.readEventsAfter(last.id, isKnown), add(page)]);
    }
    return { columns, mark };
  }

  /** Applies a page completely or not at all: a partial page would falsify all later counts. */
  #take(kept: Kept, { changed, events, booksOf, mark, isLast }: FeedPage): void {
    const { columns } = kept;
    try {
      columns.remove(changed);
      addEvents(columns, events, booksOf);
      columns.mergeIfFull(!isLast);
    } catch (error) {
      this.#kept = undefined;
      throw error;
    }
    kept.mark = mark;
  }
}

/** Rests in proportion to the processor time that the thread has taken since the last rest. */
function restBetween(progress: ReadingProgress): () => void {
  let rested = process.threadCpuUsage();
  return function restAfterWork() {
    const { user, system } = process.threadCpuUsage(rested);
    progress.rest((user + system) / 1000);
    rested = process.threadCpuUsage();
  };
}

function addEvents(columns: EventColumns, events: EventPage["events"], booksOf: EventPage["booksOf"]): void {
  for (const event of events) columns.add(event, (archiveId) => booksOf.get(archiveId) ?? []);
}

/** If there are no changes on record, none have been pruned and the next one can have any revision. */
async function findOldestRevision(db: Db): Promise<number> {
  const { oldest } = await db
    .selectFrom("event_changes")
    .select((eb) => eb.fn.min<number | null>("revision").as("oldest"))
    .executeTakeFirstOrThrow();
  return oldest ?? 0;
}

const selectChangesAfter = (db: Db, revision: number, limit: number) =>
  db
    .selectFrom("event_changes")
    .select(["revision", "eventId"])
    .where("revision", ">", revision)
    .orderBy("revision")
    .limit(limit)
    .execute();

const readEventsAfter = (db: Db, id: number, limit: number): EventQuery =>
  selectCountedEvents(db).where("event.id", ">", id).orderBy("event.id").limit(limit);

async function findBooks(
  db: Db,
  events: readonly CountedEvent[],
  isKnown: IsKnown,
): Promise<Map<string, string[]>> {
  const books = new Map<string, string[]>();
  for (const event of events) {
    const { archiveId } = event;
    if (isKnown(event) || archiveId === null || books.has(archiveId)) continue;
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
