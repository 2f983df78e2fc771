/** Events as columns of 24 bytes a row, in the order of their contacts. A place is a row's number in all columns. */

export const REDEEMED = 1;
export const BOT = 2;
/** Another version of the row, or none, has taken its place. */
export const DEAD = 4;
/** The contact of events without one: they are counted, but nobody is. */
export const NOBODY = 0;
/** In `marks`, the milliseconds after the second lie above the marks. */
export const MARK_BITS = 3;

export interface Rows {
  readonly ids: Uint32Array;
  /** Twice the contact's id, and one more for a plain book: the order in which rows are scanned. */
  readonly runs: Uint32Array;
  /** Time of the request, since 1970. */
  readonly seconds: Uint32Array;
  readonly marks: Uint16Array;
  /** What was delivered, see Items. */
  readonly items: Uint32Array;
  readonly languages: Uint16Array;
  readonly countries: Uint16Array;
  readonly devices: Uint16Array;
  readonly length: number;
}

/** Columns of numbers that a dictionary has given to words. */
export type WordColumn = "languages" | "countries" | "devices";

/** How much longer a full list becomes: it is copied seldom, and little of it stays empty. */
const GROWTH = 1.25;

export class EventRows implements Rows {
  ids = new Uint32Array(0);
  runs = new Uint32Array(0);
  seconds = new Uint32Array(0);
  marks = new Uint16Array(0);
  items = new Uint32Array(0);
  languages = new Uint16Array(0);
  countries = new Uint16Array(0);
  devices = new Uint16Array(0);
  length = 0;
  /** How many of the rows are dead. */
  dead = 0;

  get columns(): readonly (Uint32Array | Uint16Array)[] {
    const { ids, runs, seconds, items, languages, countries, devices, marks } = this;
    return [ids, runs, seconds, items, languages, countries, devices, marks];
  }

  /** Makes room for more rows. */
  reserve(more: number): void {
    const capacity = this.length + more;
    if (capacity <= this.ids.length) return;
    const length = Math.max(capacity, Math.ceil(this.ids.length * GROWTH));
    this.ids = longer32(this.ids, length);
    this.runs = longer32(this.runs, length);
    this.seconds = longer32(this.seconds, length);
    this.marks = longer16(this.marks, length);
    this.items = longer32(this.items, length);
    this.languages = longer16(this.languages, length);
    this.countries = longer16(this.countries, length);
    this.devices = longer16(this.devices, length);
  }

  /** Marks the rows of these events as dead. @returns how many there were */
  kill(ids: ReadonlySet<number>): number {
    const [lowest, highest] = boundsOf(ids);
    let killed = 0;
    for (let place = 0; place < this.length; place += 1) {
      const id = this.ids[place] ?? 0;
      if (id < lowest || id > highest || !ids.has(id)) continue;
      const marks = this.marks[place] ?? 0;
      if ((marks & DEAD) === 0) killed += 1;
      this.marks[place] = marks | DEAD;
    }
    this.dead += killed;
    return killed;
  }

  dropDead(): void {
    if (this.dead === 0) return;
    const { marks, length } = this;
    // The marks come last: they say for the other columns, too, what is dead.
    for (const column of this.columns) {
      let kept = 0;
      for (let place = 0; place < length; place += 1) {
        if (((marks[place] ?? 0) & DEAD) !== 0) continue;
        column[kept] = column[place] ?? 0;
        kept += 1;
      }
    }
    this.length -= this.dead;
    this.dead = 0;
  }
}

// The system moves a large block of memory without a copy.
const longer32 = ({ buffer }: Uint32Array<ArrayBuffer>, length: number) =>
  new Uint32Array(buffer.transfer(Uint32Array.BYTES_PER_ELEMENT * length));
const longer16 = ({ buffer }: Uint16Array<ArrayBuffer>, length: number) =>
  new Uint16Array(buffer.transfer(Uint16Array.BYTES_PER_ELEMENT * length));

function boundsOf(numbers: Iterable<number>): [lowest: number, highest: number] {
  let lowest = Infinity;
  let highest = -Infinity;
  for (const number of numbers) {
    if (number < lowest) lowest = number;
    if (number > highest) highest = number;
  }
  return [lowest, highest];
}

// Keeps rows in the order of their runs, one column after the other and where they are.

/** More rows than this can't be sorted at once: their places are the lower part of a sort key. */
export const MOST_SORTED = 2 ** 23;

/** Rows of the same run stay as they came. */
export function sortRows(rows: EventRows): void {
  const { length, runs } = rows;
  const keys = new Float64Array(scratch(8 * length));
  for (let place = 0; place < length; place += 1) keys[place] = (runs[place] ?? 0) * MOST_SORTED + place;
  keys.sort();
  const before = new Uint32Array(scratch(4 * length));
  for (const column of rows.columns) {
    before.set(column.subarray(0, length));
    for (let place = 0; place < length; place += 1)
      column[place] = before[(keys[place] ?? 0) % MOST_SORTED] ?? 0;
  }
  keys.buffer.resize(0);
  before.buffer.resize(0);
}

/** Memory that goes at once when it is made small: the collector would let tens of megabytes gather. */
const scratch = (bytes: number): ArrayBuffer => new ArrayBuffer(bytes, { maxByteLength: bytes });

/** Before which row of the base each row of a delta belongs; both are in order. */
export function insertionPointsOf(base: Rows, delta: Rows): Uint32Array {
  const insertionPoints = new Uint32Array(delta.length);
  let low = 0;
  for (let row = 0; row < insertionPoints.length; row += 1) {
    low = firstOfRun(base, (delta.runs[row] ?? 0) + 1, low);
    insertionPoints[row] = low;
  }
  return insertionPoints;
}

/** Puts the rows of a delta among those of the base. */
export function insertRows(base: EventRows, delta: EventRows, insertionPoints: Uint32Array): void {
  base.reserve(delta.length);
  for (const [index, target] of base.columns.entries()) {
    const source = delta.columns[index];
    if (source) weave(target, base.length, source, insertionPoints);
  }
  base.length += delta.length;
}

/** From the end, so that nothing is written over before it has been moved. */
function weave(
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

/** The first place, from `low` on, whose run is this one or a later one. */
function firstOfRun({ runs, length }: Rows, run: number, low = 0): number {
  let first = low;
  let end = length;
  while (first < end) {
    const middle = (first + end) >>> 1;
    if ((runs[middle] ?? 0) < run) first = middle + 1;
    else end = middle;
  }
  return first;
}
