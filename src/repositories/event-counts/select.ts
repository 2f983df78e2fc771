/** Selects the rows that count, a block at a time. */
import { z } from "zod";
import type { EventFilter } from "../exports/download-log.ts";
import type { EventColumns } from "./event-columns.ts";
import { type Numbers, uint8s } from "./growing-lists.ts";
import { BOT, DEAD, MARK_BITS, type Rows } from "./rows.ts";

/** Writes the places of rows that count into `places`. @returns how many there are */
export function select(
  rows: Rows,
  first: number,
  end: number,
  scope: CountScope,
  places: Int32Array,
): number {
  let count = selectByTime(rows, first, end, scope, places);
  for (const { column, number } of scope.words) count = keepWord(rows[column], number, places, count);
  if (scope.items) count = keepItems(rows.items, scope.items, places, count);
  if (scope.exactly) count = keepExact(rows, scope.exactly, places, count);
  return count;
}

function selectByTime(
  { seconds, marks }: Rows,
  first: number,
  end: number,
  { fromSecond, untilSecond, without }: CountScope,
  places: Int32Array,
): number {
  // Sixty-eight years are what a difference of 32 bits holds: of a longer time, the rest of the circle is left out.
  const isLong = untilSecond - fromSecond >= 2 ** 31;
  const start = isLong ? untilSecond + 1 : fromSecond;
  const duration = (isLong ? fromSecond + 2 ** 32 - 1 : untilSecond) - start;
  const within = isLong ? 1 : 0;
  let count = 0;
  for (let place = first; place < end; place += 1) {
    places[count] = place;
    const since = ((seconds[place] ?? 0) - start) | 0;
    const unwanted = (marks[place] ?? 0) & without;
    // The signs say whether the row is too early or too late, and whether it is unwanted.
    const outside = ((since | (duration - since)) >>> 31) ^ within;
    count += (outside | (-unwanted >>> 31)) ^ 1;
  }
  return count;
}

function keepWord(column: Numbers, number: number, places: Int32Array, count: number): number {
  let kept = 0;
  for (let index = 0; index < count; index += 1) {
    const place = places[index] ?? 0;
    places[kept] = place;
    kept += (-((column[place] ?? 0) ^ number) >>> 31) ^ 1;
  }
  return kept;
}

function keepItems(items: Numbers, wanted: Uint8Array, places: Int32Array, count: number): number {
  let kept = 0;
  for (let index = 0; index < count; index += 1) {
    const place = places[index] ?? 0;
    places[kept] = place;
    kept += wanted[items[place] ?? 0] ?? 0;
  }
  return kept;
}

function keepExact(
  rows: Rows,
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
export const timeAt = ({ seconds, marks }: Rows, place: number): number =>
  (seconds[place] ?? 0) * 1000 + ((marks[place] ?? 0) >>> MARK_BITS);

// Which rows a question is about.

export const wordColumn = z.enum(["languages", "countries", "devices"]);
export type WordColumn = z.infer<typeof wordColumn>;

export const countScope = z.object({
  /** Whole seconds, both included. They lie between the first and the last of all. */
  fromSecond: z.int(),
  untilSecond: z.int(),
  /** Epoch milliseconds, half-open, when an end lies within a second. */
  exactly: z.object({ from: z.number(), until: z.number() }).optional(),
  /** Rows with one of these marks are left out. */
  without: z.int(),
  /** Numbers that rows must have in these columns. */
  words: z.array(z.object({ column: wordColumn, number: z.int() })),
  /** By item, 1 for those that count. */
  items: uint8s.optional(),
});
type CountScope = z.infer<typeof countScope>;

/** Undefined when no row can match. */
export function scopeOf(columns: EventColumns, filter: EventFilter): CountScope | undefined {
  const { from = -Infinity, until = Infinity, bookId } = filter;
  const fromSecond = Math.max(Math.floor(from / 1000), columns.earliest);
  const untilSecond = Math.min(Math.ceil(until / 1000) - 1, columns.latest);
  const words = wordsOf(columns, filter);
  const book = bookId === undefined ? undefined : columns.items.books.find(bookId);
  const isUnknown = words === undefined || (bookId !== undefined && book === undefined);
  if (fromSecond > untilSecond || isUnknown) return undefined;
  const exactly = {
    from: Math.max(from, fromSecond * 1000),
    until: Math.min(until, (untilSecond + 1) * 1000),
  };
  return {
    fromSecond,
    untilSecond,
    exactly: exactly.from % 1000 === 0 && exactly.until % 1000 === 0 ? undefined : exactly,
    without: filter.includeBots ? DEAD : DEAD | BOT,
    words,
    items: book === undefined ? undefined : columns.items.itemsWith(book),
  };
}

/** Undefined when no event ever had such a word. */
function wordsOf(columns: EventColumns, filter: EventFilter): CountScope["words"] | undefined {
  const { languages, countries, devices } = columns;
  const { languageId, countryCode, deviceType } = filter;
  const words: { column: WordColumn; number: number | undefined }[] = [];
  if (languageId !== undefined) words.push({ column: "languages", number: languages.find(languageId) });
  if (countryCode !== undefined) words.push({ column: "countries", number: countries.find(countryCode) });
  if (deviceType !== undefined) words.push({ column: "devices", number: devices.find(deviceType) });
  const known = words.flatMap(({ column, number }) => (number === undefined ? [] : { column, number }));
  return known.length === words.length ? known : undefined;
}
