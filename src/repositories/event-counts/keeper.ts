/** Keeps the columns of all events: from the snapshot or from the table at first, then always up to date with the table. */
import { z } from "zod";
import { readSnapshot, writeSnapshot } from "../../adapters/files/snapshot-file.ts";
import { EventColumns } from "./event-columns.ts";
import { type EventFeed, type FeedMark, type FeedPage, feedMark } from "./event-feed.ts";
import { columnsFrom, snapshotOf } from "./snapshot.ts";

/** What is kept, and up to where it has been read. */
interface Kept {
  columns: EventColumns;
  mark: FeedMark;
  /** How many events the snapshot lacks. */
  unsaved: number;
  /** Whether the snapshot still has a contact together with an event that has forgotten them. */
  hasForgotten: boolean;
}

/** Reading these events anew takes half a second; a snapshot of the others is written more seldom than that hurts. */
const UNSAVED_SHARE = 1 / 32;

const header = z.object({
  mark: feedMark,
  columns: z.unknown(),
});

interface EventCountsKeeperDeps {
  feed: EventFeed;
  snapshot: string;
  deltaRows?: number | undefined;
}

export class EventCountsKeeper {
  readonly #deps: EventCountsKeeperDeps;
  readonly #options: { deltaRows?: number | undefined };
  #kept: Kept | undefined;

  /** @param deps the feed, the file of the snapshot, and after how many new rows they are put among the others */
  constructor(deps: EventCountsKeeperDeps) {
    this.#deps = deps;
    this.#options = { deltaRows: deps.deltaRows };
  }

  /** The columns as the table is now. */
  async upToDate(): Promise<EventColumns> {
    this.#kept ??= (await this.#restored()) ?? (await this.#nothing());
    for (;;) {
      const { columns, mark } = this.#kept;
      const page = await this.#deps.feed.nextPage(mark, (event) => columns.knows(event));
      if (page) this.#take(this.#kept, page);
      else this.#kept = await this.#nothing();
      if (page?.isLast) return columns;
    }
  }

  /** Writes the snapshot if it lacks much. It is never the truth: when it can't be written, the table is read again. */
  save(): void {
    if (!this.#kept) return;
    const { columns, mark, unsaved, hasForgotten } = this.#kept;
    const isFew = unsaved < Math.max(columns.deltaRows, columns.base.length * UNSAVED_SHARE);
    if (isFew && !hasForgotten) return;
    columns.merge();
    this.#kept.unsaved = 0;
    this.#kept.hasForgotten = false;
    const { header: written, lists } = snapshotOf(columns);
    try {
      writeSnapshot(this.#deps.snapshot, { mark, columns: written }, lists);
    } catch {
      // A full disk, for example. The next time comes when as many events have come again.
    }
  }

  async #nothing(): Promise<Kept> {
    const columns = new EventColumns(this.#options);
    return { columns, mark: await this.#deps.feed.start(), unsaved: 0, hasForgotten: false };
  }

  async #restored(): Promise<Kept | undefined> {
    try {
      const kept = readKept(this.#deps.snapshot, this.#options);
      return (await this.#deps.feed.holds(kept.mark)) ? kept : undefined;
    } catch {
      // There is none, or it is damaged or another version's: the table has everything.
      return undefined;
    }
  }

  /** All or nothing: half a page would be counted wrongly for ever. */
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
    kept.unsaved += events.length;
    kept.hasForgotten ||= events.some(({ id, contactId }) => contactId === null && changed.has(id));
  }
}

function readKept(path: string, options: { deltaRows?: number | undefined }): Kept {
  const { kept } = readSnapshot(path, (written) => {
    const { mark, columns: described } = header.parse(written);
    const columns = columnsFrom(described, options);
    return { columns: columns.base.columns, kept: { columns, mark, unsaved: 0, hasForgotten: false } };
  });
  return kept;
}
