/** Keeps rows in the order of their runs, one column after the other and where they are. */
import type { GrowingList } from "./growing-lists.ts";
import type { EventRows, Rows } from "./rows.ts";

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
function weave(target: GrowingList, length: number, source: GrowingList, insertionPoints: Uint32Array): void {
  let unmoved = length;
  for (let row = insertionPoints.length - 1; row >= 0; row -= 1) {
    const joint = insertionPoints[row] ?? 0;
    for (; unmoved > joint; unmoved -= 1) target[unmoved + row] = target[unmoved - 1] ?? 0;
    target[joint + row] = source[row] ?? 0;
  }
}

/** The first place, from `low` on, whose run is this one or a later one. */
export function firstOfRun({ runs, length }: Rows, run: number, low = 0): number {
  let first = low;
  let end = length;
  while (first < end) {
    const middle = (first + end) >>> 1;
    if ((runs[middle] ?? 0) < run) first = middle + 1;
    else end = middle;
  }
  return first;
}
