/** Events as columns, 23 bytes each, in memory that threads share. A place is a row's number in all of them. */
import { type GrowingList, growing8, growing16, growing32, grown } from "./growing-lists.ts";

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
  readonly devices: Uint8Array;
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
  devices: Uint8Array<SharedArrayBuffer>;
  marks: Uint16Array<SharedArrayBuffer>;
  length = 0;
  /** How many of the rows are dead. */
  dead = 0;

  /** @param most for so many address space is reserved, so that columns grow where they are; memory comes with the rows */
  constructor(most: number) {
    this.ids = growing32(most);
    this.runs = growing32(most);
    this.seconds = growing32(most);
    this.items = growing32(most);
    this.languages = growing16(most);
    this.countries = growing16(most);
    this.devices = growing8(most);
    this.marks = growing16(most);
  }

  get columns(): readonly GrowingList[] {
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
    this.ids = new Uint32Array(grown(this.ids, capacity), 0, capacity);
    this.runs = new Uint32Array(grown(this.runs, capacity), 0, capacity);
    this.seconds = new Uint32Array(grown(this.seconds, capacity), 0, capacity);
    this.items = new Uint32Array(grown(this.items, capacity), 0, capacity);
    this.languages = new Uint16Array(grown(this.languages, capacity), 0, capacity);
    this.countries = new Uint16Array(grown(this.countries, capacity), 0, capacity);
    this.devices = new Uint8Array(grown(this.devices, capacity), 0, capacity);
    this.marks = new Uint16Array(grown(this.marks, capacity), 0, capacity);
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

function boundsOf(numbers: Iterable<number>): [lowest: number, highest: number] {
  let lowest = Infinity;
  let highest = -Infinity;
  for (const number of numbers) {
    if (number < lowest) lowest = number;
    if (number > highest) highest = number;
  }
  return [lowest, highest];
}
