/** Events as columns, some 19 bytes each, in memory that threads share. A place is a row's number in all of them. */
import {
  type Growing16,
  type Growing32,
  type GrowingList,
  growing8,
  growing16,
  growing32,
  longer,
  type Numbers,
  wideEnough,
} from "./growing-lists.ts";

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
  readonly items: Numbers;
  readonly languages: Numbers;
  readonly countries: Numbers;
  readonly devices: Numbers;
  readonly length: number;
}

/** Columns whose numbers stand for something else. They are as wide as the highest one needs. */
export type NumberColumn = "items" | "languages" | "countries" | "devices";

/** More rows than this are refused. */
export const MOST_ROWS = 2 ** 26;

export class EventRows implements Rows {
  ids: Growing32;
  runs: Growing32;
  seconds: Growing32;
  marks: Growing16;
  items: GrowingList;
  languages: GrowingList;
  countries: GrowingList;
  devices: GrowingList;
  length = 0;
  /** How many of the rows are dead. */
  dead = 0;
  readonly #most: number;

  /** @param most for so many address space is reserved, so that columns grow where they are; memory comes with the rows */
  constructor(most: number) {
    this.#most = most;
    this.ids = growing32(most);
    this.runs = growing32(most);
    this.seconds = growing32(most);
    this.marks = growing16(most);
    this.items = growing8(most);
    this.languages = growing8(most);
    this.countries = growing8(most);
    this.devices = growing8(most);
  }

  get columns(): readonly GrowingList[] {
    const { ids, runs, seconds, items, languages, countries, devices, marks } = this;
    return [ids, runs, seconds, items, languages, countries, devices, marks];
  }

  /** Makes a column wide enough for a number. */
  hold(column: NumberColumn, number: number): void {
    this[column] = wideEnough(this[column], number, this.#most);
  }

  /**
   * Makes room for more rows.
   * @throws RangeError when there would be too many
   */
  reserve(more: number): void {
    const capacity = this.length + more;
    if (capacity <= this.ids.length) return;
    this.ids = longer(this.ids, capacity);
    this.runs = longer(this.runs, capacity);
    this.seconds = longer(this.seconds, capacity);
    this.marks = longer(this.marks, capacity);
    this.items = longer(this.items, capacity);
    this.languages = longer(this.languages, capacity);
    this.countries = longer(this.countries, capacity);
    this.devices = longer(this.devices, capacity);
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
