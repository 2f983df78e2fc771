/** Selects the rows that count, a block at a time. */
// A branch that goes either way at random costs more than all that is done here: each place is written down, and the
// next one takes its line unless it counts.
import type { Numbers } from "./number-lists.ts";
import { MARK_BITS, type Rows } from "./rows.ts";
import type { CountScope } from "./scope.ts";

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
