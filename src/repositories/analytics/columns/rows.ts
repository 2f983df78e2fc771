/** Events as columns, 24 bytes each, in memory that threads share. A place is a row's number in all of them. */

export const REDEEMED = 1;
export const BOT = 2;
/** Another version of the row, or none, has taken its place. */
export const DEAD = 4;
/** In `marks`, the milliseconds after the second lie above the marks. */
export const MARK_BITS = 3;

export interface Rows {
  readonly ids: Uint32Array;
  /** Twice the contact's number, and one more for a plain book: the order in which rows are scanned. */
  readonly runs: Uint32Array;
  /** Time of the request, since 1970. */
  readonly seconds: Uint32Array;
  /** What was delivered, see Items. */
  readonly items: Uint32Array;
  readonly languages: Uint16Array;
  readonly countries: Uint16Array;
  readonly devices: Uint16Array;
  readonly marks: Uint16Array;
  readonly length: number;
}

/** More rows than this are refused. */
export const MOST_ROWS = 2 ** 26;

export class EventRows implements Rows {
  ids: Uint32Array<SharedArrayBuffer>;
  runs: Uint32Array<SharedArrayBuffer>;
  seconds: Uint32Array<SharedArrayBuffer>;
  items: Uint32Array<SharedArrayBuffer>;
  languages: Uint16Array<SharedArrayBuffer>;
  countries: Uint16Array<SharedArrayBuffer>;
  devices: Uint16Array<SharedArrayBuffer>;
  marks: Uint16Array<SharedArrayBuffer>;
  length = 0;
  /** How many of the rows are dead. */
  dead = 0;

  /** @param most for so many address space is reserved, so that columns grow where they are; memory comes with the rows */
  constructor(most: number) {
    const wide = () => new Uint32Array(new SharedArrayBuffer(0, { maxByteLength: 4 * most }));
    const narrow = () => new Uint16Array(new SharedArrayBuffer(0, { maxByteLength: 2 * most }));
    this.ids = wide();
    this.runs = wide();
    this.seconds = wide();
    this.items = wide();
    this.languages = narrow();
    this.countries = narrow();
    this.devices = narrow();
    this.marks = narrow();
  }

  get columns(): readonly (Uint32Array<SharedArrayBuffer> | Uint16Array<SharedArrayBuffer>)[] {
    const { ids, runs, seconds, items, languages, countries, devices, marks } = this;
    return [ids, runs, seconds, items, languages, countries, devices, marks];
  }

  /**
   * Makes room for more rows.
   * @throws RangeError when there would be too many
   */
  reserve(more: number): void {
    const capacity = this.length + more;
    if (capacity <= this.ids.length) return;
    this.ids = grown32(this.ids, capacity);
    this.runs = grown32(this.runs, capacity);
    this.seconds = grown32(this.seconds, capacity);
    this.items = grown32(this.items, capacity);
    this.languages = grown16(this.languages, capacity);
    this.countries = grown16(this.countries, capacity);
    this.devices = grown16(this.devices, capacity);
    this.marks = grown16(this.marks, capacity);
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
    const marks = this.marks.slice(0, this.length);
    for (const column of this.columns) {
      let kept = 0;
      for (let place = 0; place < marks.length; place += 1) {
        if (((marks[place] ?? 0) & DEAD) !== 0) continue;
        column[kept] = column[place] ?? 0;
        kept += 1;
      }
    }
    this.length -= this.dead;
    this.dead = 0;
  }
}

function grown32({ buffer }: Uint32Array<SharedArrayBuffer>, length: number): Uint32Array<SharedArrayBuffer> {
  buffer.grow(4 * length);
  return new Uint32Array(buffer, 0, length);
}

function grown16({ buffer }: Uint16Array<SharedArrayBuffer>, length: number): Uint16Array<SharedArrayBuffer> {
  buffer.grow(2 * length);
  return new Uint16Array(buffer, 0, length);
}

function boundsOf(numbers: Iterable<number>): [lowest: number, highest: number] {
  let lowest = Infinity;
  let highest = -Infinity;
  for (const number of numbers) {
    if (number < lowest) lowest = number;
    if (number > highest) highest = number;
  }
  return [lowest, highest];
}
