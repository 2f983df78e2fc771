/** All events in memory as columns: the base is ordered by contact, and new rows are added to a small delta. */
import { LRUCache } from "lru-cache";
import type { CountedEvent } from "./event-pages.ts";
import { Dictionary, Items } from "./items.ts";
import { Origins } from "./origins.ts";
import { type AffectedRows, findAffectedRows } from "./ranges.ts";
import {
  BOT,
  EventRows,
  findInsertionPoints,
  insertRows,
  MARK_BITS,
  MAX_SORTED,
  NO_CONTACT,
  REDEEMED,
  sortRows,
} from "./rows.ts";
import { sizeOfTotals, type Totals } from "./totals.ts";

/** The highest supported contact id: a sort key has room for twice this number and a row number. */
const MAX_CONTACTS = 2 ** 29 - 1;
/** A full delta adds a few milliseconds to each query; merging it into the base takes a tenth of a second. */
const DELTA_ROWS = 16_384;
/** During loading, the delta may be larger and grow with the base, to merge less often. */
const LOADING_ROWS = 131_072;
const LOADING_SHARE = 1 / 32;
/** More than a dashboard asks at once; those of ten thousand days have a third of a megabyte each, of 200,000 campaigns six. */
const KEPT_TOTALS = 30;
const KEPT_BYTES = 32 * 2 ** 20;

export class EventColumns {
  readonly deltaRows: number;
  readonly items = new Items();
  readonly languages = new Dictionary<number>();
  readonly countries = new Dictionary<string | null>();
  readonly devices = new Dictionary<string>();
  readonly origins = new Origins();
  readonly base = new EventRows();
  readonly delta = new EventRows();
  /** What was counted in the base, by question. */
  readonly keptTotals = new LRUCache<string, Totals>({
    max: KEPT_TOTALS,
    maxSize: KEPT_BYTES,
    sizeCalculation: sizeOfTotals,
  });
  /** All rows are between these times, in seconds since 1970. */
  earliest = Infinity;
  latest = -Infinity;
  #affected: AffectedRows | undefined;

  constructor({ deltaRows = DELTA_ROWS }: { deltaRows?: number | undefined } = {}) {
    this.deltaRows = deltaRows;
  }

  /**
   * @param booksOf returns the books of an unknown archive
   * @throws RangeError if a column can't hold the event
   */
  add(event: CountedEvent, booksOf: (archiveId: string) => readonly string[]): void {
    const { delta, items } = this;
    const { archiveId, archivedAt, booksCount, bookId } = event;
    delta.reserve(1);
    const place = delta.length;
    const second = Math.floor(event.downloadedAt / 1000);
    const contact = event.contactId ?? NO_CONTACT;
    if (!isWide(event.id) || !isWide(second) || contact > MAX_CONTACTS)
      throw new RangeError(`Event ${event.id} has no place in the columns`);
    const item =
      archiveId === null
        ? items.addBookItem(bookId, booksCount)
        : items.addArchiveItem(archiveKey(archiveId, archivedAt), booksCount, () => booksOf(archiveId));
    delta.ids[place] = event.id;
    delta.runs[place] = 2 * contact + (items.isPlain(item) ? 1 : 0);
    delta.seconds[place] = second;
    delta.items[place] = item;
    delta.languages[place] = this.languages.addWord(event.languageId);
    delta.countries[place] = this.countries.addWord(event.countryCode);
    delta.devices[place] = this.devices.addWord(event.deviceType);
    delta.origins[place] = this.origins.numberOf(event);
    const marks = (event.isBot === 1 ? BOT : 0) | (event.redeemedAt === null ? 0 : REDEEMED);
    delta.marks[place] = marks | ((event.downloadedAt % 1000) << MARK_BITS);
    delta.length += 1;
    this.earliest = Math.min(this.earliest, second);
    this.latest = Math.max(this.latest, second);
    this.#affected = undefined;
  }

  /** Removes events; their new versions are added afterwards. */
  remove(ids: ReadonlySet<number>): void {
    if (ids.size === 0) return;
    // Recent events change most often, and most of them are in the delta.
    if (this.delta.markDeleted(ids) < ids.size && this.base.markDeleted(ids) > 0) this.keptTotals.clear();
  }

  /** Whether `add` already knows the event's archive. */
  knows({ archiveId, archivedAt, booksCount }: CountedEvent): boolean {
    return archiveId === null || this.items.has(archiveKey(archiveId, archivedAt), booksCount);
  }

  /** @param isLoading whether more rows follow immediately */
  mergeIfFull(isLoading: boolean): void {
    const share = Math.min(this.base.length * LOADING_SHARE, MAX_SORTED / 2);
    const most = isLoading ? Math.max(this.deltaRows, LOADING_ROWS, share) : this.deltaRows;
    if (this.delta.length >= most) this.merge();
  }

  /** Merges the delta into the base. */
  merge(): void {
    this.base.compact();
    insertRows(this.base, this.delta, this.#findInsertionPoints());
    this.delta.length = 0;
    this.#affected = undefined;
    this.keptTotals.clear();
  }

  /** The rows of contacts that have rows in the delta. Sorts the delta. */
  findAffectedRows(): AffectedRows {
    this.#affected ??= findAffectedRows(this.base, this.delta, this.#findInsertionPoints());
    return this.#affected;
  }

  /** For each row of the delta, the index of the base row before which it belongs. Sorts the delta. */
  #findInsertionPoints(): Uint32Array {
    this.delta.compact();
    sortRows(this.delta);
    return findInsertionPoints(this.base, this.delta);
  }
}

/** Whether the number of seconds is between 1970 and 2106. */
const isWide = (number: number): boolean => number >= 0 && number < 2 ** 32;

/** An archive that was deleted and created again can contain different books. */
const archiveKey = (id: string, madeAt: number | null): string => `${id} ${madeAt}`;
