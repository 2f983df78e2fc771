/** Keeps the columns up to date with the table: reads new events by id, and changed events by revision. */
import { isReplicaOf, selectIdentity } from "../../db/installation.ts";
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

/**
 * The position up to which the table has been read: the newest event and the newest change; 0 if there is none. Numbers
 * alone don't prove that the table still has what was read: after the loss of the last rows, others get the same numbers.
 */
interface FeedMark {
  /** Of the database. */
  identity: string;
  eventId: number;
  /** When the newest event was requested; undefined if there is none, or if it was deleted. */
  downloadedAt: number | undefined;
  revision: number;
  /** The event of the newest change. */
  changedId: number | undefined;
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

  /** The initial position: the events themselves contain all changes up to now. `newestId` is the end of the reading. */
  async start(): Promise<FeedMark & { newestId: number }> {
    if (this.#initial !== this.#db && !(await isReplicaOf(this.#db, this.#initial))) this.#initial = this.#db;
    // Of the database with which it will be compared: a logical replica has tables of its own.
    const identity = await readIdentity(this.#db);
    const newest = await this.#initial
      .selectFrom("event_changes")
      .select(["revision", "eventId"])
      .orderBy("revision", "desc")
      .limit(1)
      .executeTakeFirst();
    const { newestId } = await this.#initial
      .selectFrom("download_events")
      .select((eb) => eb.fn.max<number | null>("id").as("newestId"))
      .executeTakeFirstOrThrow();
    return {
      identity,
      eventId: 0,
      downloadedAt: undefined,
      revision: newest?.revision ?? 0,
      changedId: newest?.eventId,
      newestId: newestId ?? 0,
    };
  }

  /** The next page of events by id, without changes; empty if there is none. */
  async readEventsAfter(id: number, isKnown: IsKnown): Promise<EventPage> {
    const db = this.#initial;
    const events = await this.#read(db, readEventsAfter(db, id, this.#eventsAPage));
    return { events, booksOf: await findBooks(db, events, isKnown) };
  }

  /**
   * The next page of events and changes after the mark, from one read transaction.
   * @returns undefined if all events must be read again: changes since the mark were already pruned, or the table isn't
   * the one that was read
   */
  readNextPage(mark: FeedMark, isKnown: IsKnown): Promise<FeedPage | undefined> {
    const { eventId, revision } = mark;
    const snapshot = this.#db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
    return snapshot.execute(async (db) => {
      if (!(await continuesAt(db, mark))) {
        // A replica that lags so far, or has other rows, would do so again.
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
        mark: moveMark(mark, { changes, added, isNewestDeleted: isDeleted(eventId, changed, events) }),
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
      mark.downloadedAt = last.downloadedAt;
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

async function readIdentity(db: Db): Promise<string> {
  const { identity } = await db.selectNoFrom(selectIdentity(db).as("identity")).executeTakeFirstOrThrow();
  return identity;
}

/** Whether the table still has what was read, and the changes since then. */
async function continuesAt(db: Db, mark: FeedMark): Promise<boolean> {
  const found = await db
    .selectNoFrom((eb) => [
      selectIdentity(db).as("identity"),
      eb
        .selectFrom("download_events")
        .select("downloadedAt")
        .where("id", "=", mark.eventId)
        .as("downloadedAt"),
      eb.selectFrom("event_changes").select("eventId").where("revision", "=", mark.revision).as("changedId"),
      eb
        .selectFrom("event_changes")
        .select((q) => q.fn.min<number | null>("revision").as("oldest"))
        .as("oldest"),
    ])
    .executeTakeFirstOrThrow();
  // If there are no changes on record, none have been pruned and the next one can have any revision.
  const oldest = found.oldest ?? 0;
  if (found.identity !== mark.identity || oldest > mark.revision + 1) return false;
  const isPruned = oldest > mark.revision;
  if (!isPruned && mark.changedId !== undefined && found.changedId !== mark.changedId) return false;
  if (mark.downloadedAt === undefined || found.downloadedAt === mark.downloadedAt) return true;
  return found.downloadedAt === null && (await hasChangedAfter(db, mark));
}

/** Whether the newest event that was read has a recorded change since then, such as its deletion. */
async function hasChangedAfter(db: Db, { eventId, revision }: FeedMark): Promise<boolean> {
  const change = await db
    .selectFrom("event_changes")
    .select("revision")
    .where("revision", ">", revision)
    .where("eventId", "=", eventId)
    .limit(1)
    .executeTakeFirst();
  return change !== undefined;
}

const isDeleted = (id: number, changed: ReadonlySet<number>, events: readonly CountedEvent[]): boolean =>
  changed.has(id) && !events.some((event) => event.id === id);

interface ReadPage {
  changes: readonly { revision: number; eventId: number }[];
  added: readonly CountedEvent[];
  /** Whether the newest event of the pages before was deleted. */
  isNewestDeleted: boolean;
}

function moveMark(mark: FeedMark, { changes, added, isNewestDeleted }: ReadPage): FeedMark {
  const [change, event] = [changes.at(-1), added.at(-1)];
  return {
    identity: mark.identity,
    eventId: event?.id ?? mark.eventId,
    downloadedAt: event ? event.downloadedAt : isNewestDeleted ? undefined : mark.downloadedAt,
    revision: change?.revision ?? mark.revision,
    changedId: change ? change.eventId : mark.changedId,
  };
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
