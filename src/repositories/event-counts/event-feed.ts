/** What is new among the events, in pages: new ones by their ids, changed ones by their revisions. */
import { z } from "zod";
import type { Db } from "../../db/kysely.ts";
import { batchesOf } from "../../lib/collections.ts";
import type { CountedEvent } from "./event-columns.ts";

/** Up to where somebody has read: the newest event and the newest change, zeros when there is none. */
export const feedMark = z.object({
  event: z.object({ id: z.int(), downloadedAt: z.int() }),
  change: z.object({ revision: z.int(), eventId: z.int() }),
});
export type FeedMark = z.infer<typeof feedMark>;

export interface FeedPage {
  /** Events that have changed or gone since they were read; those that are still there are among `events`. */
  changed: ReadonlySet<number>;
  events: CountedEvent[];
  /** Books of the archives that weren't known. */
  booksOf: ReadonlyMap<string, string[]>;
  mark: FeedMark;
  /** Whether this is all there was at that moment. */
  isLast: boolean;
}

/** A statement takes a bounded number of parameters. */
const IDS_A_STATEMENT = 500;
const EVENTS_A_PAGE = 1000;

export class EventFeed {
  readonly #db: Db;
  readonly #eventsAPage: number;

  constructor(db: Db, { eventsAPage = EVENTS_A_PAGE }: { eventsAPage?: number } = {}) {
    this.#db = db;
    this.#eventsAPage = eventsAPage;
  }

  /** Where to begin when nothing was read before: changes until now are in the events themselves. */
  async start(): Promise<FeedMark> {
    const newest = this.#db
      .selectFrom("event_changes")
      .select(["revision", "eventId"])
      .orderBy("revision", "desc");
    const change = await newest.limit(1).executeTakeFirst();
    return { event: { id: 0, downloadedAt: 0 }, change: change ?? { revision: 0, eventId: 0 } };
  }

  /** Whether the mark's event and change are those of this database: after a backup was restored, others may be. */
  async holds({ event, change }: FeedMark): Promise<boolean> {
    const events = this.#db.selectFrom("download_events").select("downloadedAt").where("id", "=", event.id);
    const changes = this.#db
      .selectFrom("event_changes")
      .select("eventId")
      .where("revision", "=", change.revision);
    const [found, changed] = [await events.executeTakeFirst(), await changes.executeTakeFirst()];
    return (found?.downloadedAt ?? 0) === event.downloadedAt && (changed?.eventId ?? 0) === change.eventId;
  }

  /**
   * What came after the mark, all of it as it was at one moment.
   * @param isKnown whether the books of an event's archive are known
   * @returns undefined when not all changes since the mark are on record: then everything is to be read anew
   */
  nextPage(
    { event, change }: FeedMark,
    isKnown: (event: CountedEvent) => boolean,
  ): Promise<FeedPage | undefined> {
    return this.#db.transaction().execute(async (db) => {
      if ((await oldestRevision(db)) > change.revision + 1) return undefined;
      const changes = await changesAfter(db, change.revision, this.#eventsAPage);
      const changed = new Set(changes.map(({ eventId }) => eventId).filter((id) => id <= event.id));
      const added = await eventsAfter(db, event.id, this.#eventsAPage);
      const events = [...(await eventsWith(db, [...changed])), ...added];
      return {
        changed,
        events,
        booksOf: await booksOf(
          db,
          events.filter((event) => !isKnown(event)),
        ),
        mark: feedMark.parse({ event: added.at(-1) ?? event, change: changes.at(-1) ?? change }),
        isLast: Math.max(changes.length, added.length) < this.#eventsAPage,
      };
    });
  }
}

/** Without any change on record, none has been pruned and the next may be any. */
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
  for (const some of batchesOf(ids, IDS_A_STATEMENT)) {
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
