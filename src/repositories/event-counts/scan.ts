/** Finds the rows that count, a block at a time, in the order of their runs: those of base and delta in turn. */
import { firstOfRun } from "./order.ts";
import type { Rows } from "./rows.ts";
import { select } from "./select.ts";
import type { CountTask } from "./task.ts";

/** Small enough for places and groups of a block to stay in the nearest cache. */
export const BLOCK_ROWS = 2048;

interface RowRange {
  rows: Rows;
  from: number;
  until: number;
}

/** No generator and no callback: the loops around the innermost ones must be compiled well too. */
export class Scan {
  rows: Rows;
  /** Of rows that count, the first `count` of the list; the next block uses it again. */
  readonly places = new Int32Array(BLOCK_ROWS);
  count = 0;
  readonly #scope: CountTask["scope"];
  readonly #ranges: RowRange[];
  #range = 0;
  #first = 0;

  constructor(task: CountTask) {
    this.rows = task.base;
    this.#scope = task.scope;
    this.#ranges = rangesOf(task);
  }

  /** @returns whether there is one more block */
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

function rangesOf({ base, delta, insertionPoints, part }: CountTask): RowRange[] {
  const ranges: RowRange[] = [];
  const lastRow = firstOfRun(delta, part.until);
  let place = firstOfRun(base, part.from);
  for (let row = firstOfRun(delta, part.from); row < lastRow; ) {
    const joint = insertionPoints[row] ?? 0;
    let next = row + 1;
    while (next < lastRow && insertionPoints[next] === joint) next += 1;
    ranges.push({ rows: base, from: place, until: joint }, { rows: delta, from: row, until: next });
    place = joint;
    row = next;
  }
  ranges.push({ rows: base, from: place, until: firstOfRun(base, part.until) });
  return ranges;
}
