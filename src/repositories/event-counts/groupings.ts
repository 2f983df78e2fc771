/** The two groupings with a preparation step: by period, and by item, from which books are counted. */
import type { EventColumns } from "./event-columns.ts";
import type { Items } from "./items.ts";
import type { EventRows } from "./rows.ts";
import { timeAt } from "./scan.ts";

// Maps the time of an event to its period with a table, whose cells are as long as the boundaries of the periods allow:
// days without changes of the clock, or else hours. A small table stays in the CPU cache.

/** Since 1972 all days of all time zones begin at quarter hours. */
const MIN_CELL_SECONDS = 900;
/** A cell that contains the start of a period. */
const SPLIT = -1;

export interface PeriodGrouping {
  by: "period";
  size: number;
  /** Epoch milliseconds in ascending order, followed by the end of the last period. */
  starts: Float64Array;
  cellSeconds: number;
  /** At which the first cell begins, in seconds since 1970. */
  firstSecond: number;
  /** The period that contains the whole cell, by cell. */
  cells: Int32Array;
}

export function groupByPeriod({ earliest, latest }: EventColumns, starts: Float64Array): PeriodGrouping {
  const cellSeconds = Math.max(Math.floor(computeCommonLength(starts) / 1000), MIN_CELL_SECONDS);
  const boundary = Math.floor((starts[0] ?? 0) / 1000);
  const firstSecond = boundary + Math.floor((earliest - boundary) / cellSeconds) * cellSeconds;
  const cells = new Int32Array(Math.floor((latest - firstSecond) / cellSeconds) + 1);
  const size = starts.length - 1;
  let period = 0;
  for (let cell = 0; cell < cells.length; cell += 1) {
    const begin = (firstSecond + cell * cellSeconds) * 1000;
    while (period + 1 < size && (starts[period + 1] ?? 0) <= begin) period += 1;
    const next = period + 1 < size ? (starts[period + 1] ?? Infinity) : Infinity;
    cells[cell] = next < begin + cellSeconds * 1000 ? SPLIT : period;
  }
  return { by: "period", size, starts, cellSeconds, firstSecond, cells };
}

/** The greatest common divisor of the lengths of all periods, in milliseconds. */
function computeCommonLength(starts: Float64Array): number {
  const [first = 0] = starts;
  return starts.reduce((common, start) => computeGreatestDivisor(common, start - first), 0);
}

const computeGreatestDivisor = (one: number, other: number): number =>
  other === 0 ? one : computeGreatestDivisor(other, one % other);

/** Writes the period of each row. */
export function writePeriods(
  grouping: PeriodGrouping,
  rows: EventRows,
  places: Int32Array,
  count: number,
  groups: Int32Array,
): void {
  const all = lookUp(grouping, rows.seconds, places, count, groups);
  if (all >= 0) return;
  for (let index = 0; index < count; index += 1) {
    if (groups[index] === SPLIT)
      groups[index] = findPeriod(grouping.starts, timeAt(rows, places[index] ?? 0));
  }
}

/** @returns the bitwise OR of the periods: negative if one of the cells is split */
function lookUp(
  { cellSeconds, firstSecond, cells }: PeriodGrouping,
  seconds: Uint32Array,
  places: Int32Array,
  count: number,
  groups: Int32Array,
): number {
  let all = 0;
  for (let index = 0; index < count; index += 1) {
    const cell = (((seconds[places[index] ?? 0] ?? 0) - firstSecond) / cellSeconds) | 0;
    const period = cells[cell] ?? SPLIT;
    groups[index] = period;
    all |= period;
  }
  return all;
}

/** The last period that begins at or before the time. */
function findPeriod(starts: Float64Array, time: number): number {
  let low = 0;
  let high = starts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] ?? 0) <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

// Sets of books as bits: those of archives, and unions of them.

const WORD_BITS = 32;
const BYTE_VALUES = 256;

export interface ItemGrouping {
  by: "item";
  size: number;
  /** The number of the only book, by item. */
  bookOf: Int32Array;
  /** Number of words in a set. */
  words: number;
  /** The sets of the items, then an empty one, then space for a union. */
  bits: Int32Array;
}

export function groupByItem({ list, books }: Items): ItemGrouping {
  const words = Math.ceil(books.words.length / WORD_BITS);
  const bits = new Int32Array((list.length + 2) * words);
  for (const [item, { members }] of list.entries()) {
    for (const book of members) {
      const word = item * words + Math.floor(book / WORD_BITS);
      bits[word] = (bits[word] ?? 0) | (1 << book);
    }
  }
  const bookOf = Int32Array.from(list, ({ members }) => members[0] ?? 0);
  return { by: "item", size: list.length, bookOf, words, bits };
}

/** A set is identified by the position of its first word in the bits of the grouping. */
export class BookSets {
  readonly empty: number;
  readonly #deps: ItemGrouping;
  /**
   * Counts how often a byte of a set gained the same bits, by position and value, so that many books need few steps.
   */
  readonly #gains: Int32Array;

  constructor(deps: ItemGrouping) {
    this.#deps = deps;
    const { size, words } = deps;
    this.empty = size * words;
    this.#gains = new Int32Array(words * 4 * BYTE_VALUES);
  }

  of(item: number): number {
    return item * this.#deps.words;
  }

  /** The union with the books of one more item; counts the books it adds. Valid until the next union. */
  unite(set: number, item: number): number {
    const bits = this.#deps.bits;
    const gains = this.#gains;
    const more = this.of(item);
    const union = this.empty + this.#deps.words;
    for (let word = 0; word < this.#deps.words; word += 1) {
      const old = bits[set + word] ?? 0;
      const gained = (bits[more + word] ?? 0) & ~old;
      bits[union + word] = old | gained;
      for (let byte = 0; byte < 4; byte += 1) {
        const at = (word * 4 + byte) * BYTE_VALUES + ((gained >>> (8 * byte)) & 0xff);
        gains[at] = (gains[at] ?? 0) + 1;
      }
    }
    return union;
  }

  /** How often each book was added. */
  countGains(): Float64Array {
    return Float64Array.from({ length: this.#deps.words * WORD_BITS }, (_, book) => {
      const byte = Math.floor(book / 8) * BYTE_VALUES;
      let gains = 0;
      for (let value = 0; value < BYTE_VALUES; value += 1) {
        if (((value >>> (book % 8)) & 1) === 1) gains += this.#gains[byte + value] ?? 0;
      }
      return gains;
    });
  }
}
