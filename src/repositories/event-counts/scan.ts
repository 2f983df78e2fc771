/** Selects the matching rows in blocks, ordered by run. */
import type { EventFilter } from "../exports/download-log.ts";
import type { EventColumns } from "./event-columns.ts";
import type { RowRange } from "./ranges.ts";
import { BOT, DELETED, EventRows, MARK_BITS, REDEEMED, type WordColumn } from "./rows.ts";

export interface CountScope {
  /** Whole seconds, both inclusive; undefined if all rows are between them. */
  time: { fromSecond: number; untilSecond: number } | undefined;
  /** Epoch milliseconds, half-open; given if a bound isn't a whole second. */
  exactly: { from: number; until: number } | undefined;
  /** The marks that matter, and their values in matching rows. */
  marks: { mask: number; wanted: number };
  /** Values that rows must have in these columns. */
  words: readonly { column: WordColumn; number: number }[];
  /** By item number: 1 for each matching item. */
  items: Uint8Array | undefined;
  /** By origin number: 1 for each matching origin. */
  origins: Uint8Array | undefined;
}

/** Undefined when no row can match. */
export function createScope(columns: EventColumns, filter: EventFilter): CountScope | undefined {
  const { from = -Infinity, until = Infinity, bookId } = filter;
  const fromSecond = Math.max(Math.floor(from / 1000), columns.earliest);
  const untilSecond = Math.min(Math.ceil(until / 1000) - 1, columns.latest);
  const words = findWords(columns, filter);
  const book = bookId === undefined ? undefined : columns.items.books.find(bookId);
  const isUnknown = words === undefined || (bookId !== undefined && book === undefined);
  if (fromSecond > untilSecond || isUnknown) return undefined;
  const exactly = {
    from: Math.max(from, fromSecond * 1000),
    until: Math.min(until, (untilSecond + 1) * 1000),
  };
  const isAllTime = fromSecond === columns.earliest && untilSecond === columns.latest;
  return {
    time: isAllTime ? undefined : { fromSecond, untilSecond },
    exactly: exactly.from % 1000 === 0 && exactly.until % 1000 === 0 ? undefined : exactly,
    marks: marksOf(filter),
    words,
    items: book === undefined ? undefined : columns.items.findItemsWith(book),
    origins: columns.origins.selectedBy(filter),
  };
}

function marksOf({ includeBots, isRedeemed }: EventFilter): CountScope["marks"] {
  const bots = includeBots ? 0 : BOT;
  const redeemed = isRedeemed === undefined ? 0 : REDEEMED;
  return { mask: DELETED | bots | redeemed, wanted: isRedeemed ? REDEEMED : 0 };
}

/** Undefined if no event has such a word. */
function findWords(columns: EventColumns, filter: EventFilter): CountScope["words"] | undefined {
  const { languages, countries, devices } = columns;
  const { languageId, countryCode, deviceType } = filter;
  const words: { column: WordColumn; number: number | undefined }[] = [];
  if (languageId !== undefined) words.push({ column: "languages", number: languages.find(languageId) });
  if (countryCode !== undefined) words.push({ column: "countries", number: countries.find(countryCode) });
  if (deviceType !== undefined) words.push({ column: "devices", number: devices.find(deviceType) });
  const known = words.flatMap(({ column, number }) => (number === undefined ? [] : { column, number }));
  return known.length === words.length ? known : undefined;
}

/** Small enough for the rows and groups of a block to stay in the CPU cache. */
export const BLOCK_ROWS = 2048;

/** Uses no generator and no callback, so that the loops around the inner loops are compiled well, too. */
export class Scan {
  rows = new EventRows();
  /** The indexes of matching rows: the first `count` entries. The next block overwrites them. */
  readonly places = new Int32Array(BLOCK_ROWS);
  count = 0;
  readonly #scope: CountScope;
  readonly #ranges: readonly RowRange[];
  #range = 0;
  #first = 0;

  constructor(ranges: readonly RowRange[], scope: CountScope) {
    this.#scope = scope;
    this.#ranges = ranges;
  }

  /** @returns whether there is another block */
  next(): boolean {
    const range = this.#ranges[this.#range];
    if (!range) return false;
    const { rows, from, until } = range;
    const first = from + this.#first;
    const end = Math.min(first + BLOCK_ROWS, until);
    this.rows = rows;
    this.count = select(rows, first, end, this.#scope, this.places);
    this.#first += BLOCK_ROWS;
    if (end === until) {
      this.#range += 1;
      this.#first = 0;
    }
    return true;
  }
}

/** Writes the indexes of matching rows into `places`. @returns their number */
function select(rows: EventRows, first: number, end: number, scope: CountScope, places: Int32Array): number {
  const { time, marks } = scope;
  let count = time
    ? selectByTime(rows, first, end, { ...time, marks }, places)
    : selectByMarks(rows.marks, first, end, marks, places);
  for (const { column, number } of scope.words) count = keepWord(rows[column], number, places, count);
  if (scope.items) count = keepWanted(rows.items, scope.items, places, count);
  if (scope.origins) count = keepWanted(rows.origins, scope.origins, places, count);
  if (scope.exactly) count = keepExact(rows, scope.exactly, places, count);
  return count;
}

function selectByMarks(
  marks: Uint16Array,
  first: number,
  end: number,
  { mask, wanted }: CountScope["marks"],
  places: Int32Array,
): number {
  let count = 0;
  for (let place = first; place < end; place += 1) {
    places[count] = place;
    count += (-(((marks[place] ?? 0) ^ wanted) & mask) >>> 31) ^ 1;
  }
  return count;
}

type Time = NonNullable<CountScope["time"]>;

function selectByTime(
  { seconds, marks }: EventRows,
  first: number,
  end: number,
  { fromSecond, untilSecond, marks: { mask, wanted } }: Time & Pick<CountScope, "marks">,
  places: Int32Array,
): number {
  // A difference of 32 bits covers 68 years. For a longer range, its complement is excluded instead.
  const isLong = untilSecond - fromSecond >= 2 ** 31;
  const start = isLong ? untilSecond + 1 : fromSecond;
  const duration = (isLong ? fromSecond + 2 ** 32 - 1 : untilSecond) - start;
  const within = isLong ? 1 : 0;
  let count = 0;
  for (let place = first; place < end; place += 1) {
    places[count] = place;
    const since = ((seconds[place] ?? 0) - start) | 0;
    const unwanted = ((marks[place] ?? 0) ^ wanted) & mask;
    // The sign bits mark rows that are too early, too late or excluded.
    const outside = ((since | (duration - since)) >>> 31) ^ within;
    count += (outside | (-unwanted >>> 31)) ^ 1;
  }
  return count;
}

function keepWord(column: Uint16Array, number: number, places: Int32Array, count: number): number {
  let kept = 0;
  for (let index = 0; index < count; index += 1) {
    const place = places[index] ?? 0;
    places[kept] = place;
    kept += (-((column[place] ?? 0) ^ number) >>> 31) ^ 1;
  }
  return kept;
}

function keepWanted(column: Uint32Array, wanted: Uint8Array, places: Int32Array, count: number): number {
  let kept = 0;
  for (let index = 0; index < count; index += 1) {
    const place = places[index] ?? 0;
    places[kept] = place;
    kept += wanted[column[place] ?? 0] ?? 0;
  }
  return kept;
}

function keepExact(
  rows: EventRows,
  { from, until }: { from: number; until: number },
  places: Int32Array,
  count: number,
): number {
  let kept = 0;
  for (let index = 0; index < count; index += 1) {
    const place = places[index] ?? 0;
    const time = timeAt(rows, place);
    if (time < from || time >= until) continue;
    places[kept] = place;
    kept += 1;
  }
  return kept;
}

/** Epoch milliseconds. */
export const timeAt = ({ seconds, marks }: EventRows, place: number): number =>
  (seconds[place] ?? 0) * 1000 + ((marks[place] ?? 0) >>> MARK_BITS);
