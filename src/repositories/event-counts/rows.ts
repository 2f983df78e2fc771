/** Events as columns of 28 bytes per row, ordered by contact. A place is the index of a row in all columns. */

export const REDEEMED = 1;
export const BOT = 2;
/** The row was replaced by a newer version or deleted. */
export const DELETED = 4;
/** The contact of events without one: the events are counted, but not as a contact. */
export const NO_CONTACT = 0;
/** Number of mark bits in `marks`; the bits above them hold the milliseconds within the second. */
export const MARK_BITS = 3;

/** Columns with numbers from a dictionary. */
export type WordColumn = "languages" | "countries" | "devices";

/** Growth factor of a full list: it is rarely copied, and little of it is unused. */
const GROWTH = 1.25;

export class EventRows {
  ids = new Uint32Array(0);
  /** Twice the contact id, plus one for a single book: rows are scanned in this order. */
  runs = new Uint32Array(0);
  /** Time of the request, in seconds since 1970. */
  seconds = new Uint32Array(0);
  marks = new Uint16Array(0);
  /** The delivered item, see Items. */
  items = new Uint32Array(0);
  languages = new Uint16Array(0);
  countries = new Uint16Array(0);
  devices = new Uint16Array(0);
  /** File type and campaign, see Origins. */
  origins = new Uint32Array(0);
  length = 0;
  /** Number of deleted rows. */
  deletedCount = 0;

  get columns(): readonly (Uint32Array | Uint16Array)[] {
    const { ids, runs, seconds, items, languages, countries, devices, origins, marks } = this;
    return [ids, runs, seconds, items, languages, countries, devices, origins, marks];
  }

  /** Reserves space for more rows. */
  reserve(more: number): void {
    const capacity = this.length + more;
    if (capacity <= this.ids.length) return;
    const length = Math.max(capacity, Math.ceil(this.ids.length * GROWTH));
    this.ids = lengthen32(this.ids, length);
    this.runs = lengthen32(this.runs, length);
    this.seconds = lengthen32(this.seconds, length);
    this.marks = lengthen16(this.marks, length);
    this.items = lengthen32(this.items, length);
    this.languages = lengthen16(this.languages, length);
    this.countries = lengthen16(this.countries, length);
    this.devices = lengthen16(this.devices, length);
    this.origins = lengthen32(this.origins, length);
  }

  /** Marks the rows of these events as deleted. @returns the number of rows */
  markDeleted(ids: ReadonlySet<number>): number {
    const [lowest, highest] = findBounds(ids);
    let count = 0;
    for (let place = 0; place < this.length; place += 1) {
      const id = this.ids[place] ?? 0;
      if (id < lowest || id > highest || !ids.has(id)) continue;
      const marks = this.marks[place] ?? 0;
      if ((marks & DELETED) === 0) count += 1;
      this.marks[place] = marks | DELETED;
    }
    this.deletedCount += count;
    return count;
  }

  compact(): void {
    if (this.deletedCount === 0) return;
    const { marks, length } = this;
    // The marks are compacted last, because the other columns need them to recognise deleted rows.
    for (const column of this.columns) {
      let kept = 0;
      for (let place = 0; place < length; place += 1) {
        if (((marks[place] ?? 0) & DELETED) !== 0) continue;
        column[kept] = column[place] ?? 0;
        kept += 1;
      }
    }
    this.length -= this.deletedCount;
    this.deletedCount = 0;
  }
}

// The operating system moves a large block of memory without copying it.
export const lengthen32 = ({ buffer }: Uint32Array<ArrayBuffer>, length: number) =>
  new Uint32Array(buffer.transfer(Uint32Array.BYTES_PER_ELEMENT * length));
const lengthen16 = ({ buffer }: Uint16Array<ArrayBuffer>, length: number) =>
  new Uint16Array(buffer.transfer(Uint16Array.BYTES_PER_ELEMENT * length));

function findBounds(numbers: Iterable<number>): [lowest: number, highest: number] {
  let lowest = Infinity;
  let highest = -Infinity;
  for (const number of numbers) {
    if (number < lowest) lowest = number;
    if (number > highest) highest = number;
  }
  return [lowest, highest];
}

// Keeps rows ordered by run. Works in place, one column at a time.

/** Maximum number of rows to sort at once: the index of a row is the lower part of its sort key. */
export const MAX_SORTED = 2 ** 23;

/** Rows with equal runs keep their order. */
export function sortRows(rows: EventRows): void {
  const { length, runs } = rows;
  const keys = new Float64Array(createScratch(8 * length));
  for (let place = 0; place < length; place += 1) keys[place] = (runs[place] ?? 0) * MAX_SORTED + place;
  keys.sort();
  const before = new Uint32Array(createScratch(4 * length));
  for (const column of rows.columns) {
    before.set(column.subarray(0, length));
    for (let place = 0; place < length; place += 1)
      column[place] = before[(keys[place] ?? 0) % MAX_SORTED] ?? 0;
  }
  keys.buffer.resize(0);
  before.buffer.resize(0);
}

/**
 * Memory that is freed immediately when it is resized to 0: the garbage collector would let tens of megabytes
 * accumulate.
 */
const createScratch = (bytes: number): ArrayBuffer => new ArrayBuffer(bytes, { maxByteLength: bytes });

/** For each row of a delta, the index of the base row before which it belongs. Both are sorted. */
export function findInsertionPoints(base: EventRows, delta: EventRows): Uint32Array {
  const insertionPoints = new Uint32Array(delta.length);
  let low = 0;
  for (let row = 0; row < insertionPoints.length; row += 1) {
    low = findFirstOfRun(base, (delta.runs[row] ?? 0) + 1, low);
    insertionPoints[row] = low;
  }
  return insertionPoints;
}

/** Merges the rows of a delta into the base. */
export function insertRows(base: EventRows, delta: EventRows, insertionPoints: Uint32Array): void {
  base.reserve(delta.length);
  for (const [index, target] of base.columns.entries()) {
    const source = delta.columns[index];
    if (source) mergeFromEnd(target, base.length, source, insertionPoints);
  }
  base.length += delta.length;
}

/** Works from the end, so that no row is overwritten before it is moved. */
function mergeFromEnd(
  target: Uint32Array | Uint16Array,
  length: number,
  source: Uint32Array | Uint16Array,
  insertionPoints: Uint32Array,
): void {
  let unmoved = length;
  for (let row = insertionPoints.length - 1; row >= 0; row -= 1) {
    const point = insertionPoints[row] ?? 0;
    for (; unmoved > point; unmoved -= 1) target[unmoved + row] = target[unmoved - 1] ?? 0;
    target[point + row] = source[row] ?? 0;
  }
}

/** The index of the first row, from `low` on, whose run is at least the given one. */
export function findFirstOfRun({ runs, length }: EventRows, run: number, low = 0): number {
  let first = low;
  let end = length;
  while (first < end) {
    const middle = (first + end) >>> 1;
    if ((runs[middle] ?? 0) < run) first = middle + 1;
    else end = middle;
  }
  return first;
}
