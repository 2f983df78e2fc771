/** Which period an event's time lies in: looked up by its quarter of an hour, at whose ends zones' days begin. */
import { z } from "zod";
import type { EventColumns } from "./event-columns.ts";
import { float64s, int32s } from "./growing-lists.ts";
import type { Rows } from "./rows.ts";
import { timeAt } from "./select.ts";

const CELL_SECONDS = 900;
/** A cell within which a period begins. */
const SPLIT = -1;

export const periodGrouping = z.object({
  by: z.literal("period"),
  size: z.int(),
  /** Epoch milliseconds, ascending, and in the end that of the last period. */
  starts: float64s,
  /** Since 1970. */
  firstCell: z.int(),
  /** By cell, the period in which all of it lies. */
  cells: int32s,
});
export type PeriodGrouping = z.infer<typeof periodGrouping>;

export function periodsOf({ earliest, latest }: EventColumns, starts: Float64Array): PeriodGrouping {
  const firstCell = Math.floor(earliest / CELL_SECONDS);
  const cells = new Int32Array(Math.floor(latest / CELL_SECONDS) - firstCell + 1);
  const size = starts.length - 1;
  let period = 0;
  for (let cell = 0; cell < cells.length; cell += 1) {
    const begin = (firstCell + cell) * CELL_SECONDS * 1000;
    while (period + 1 < size && (starts[period + 1] ?? 0) <= begin) period += 1;
    const next = period + 1 < size ? (starts[period + 1] ?? Infinity) : Infinity;
    cells[cell] = next < begin + CELL_SECONDS * 1000 ? SPLIT : period;
  }
  return { by: "period", size, starts, firstCell, cells };
}

/** Writes the periods of rows that lie within one. */
export function writePeriods(
  grouping: PeriodGrouping,
  rows: Rows,
  places: Int32Array,
  count: number,
  groups: Int32Array,
): void {
  const all = lookUp(grouping, rows.seconds, places, count, groups);
  if (all >= 0) return;
  for (let index = 0; index < count; index += 1) {
    if (groups[index] === SPLIT) groups[index] = periodAt(grouping.starts, timeAt(rows, places[index] ?? 0));
  }
}

/** @returns the periods or-ed together: negative when one of the cells is split */
function lookUp(
  { firstCell, cells }: PeriodGrouping,
  seconds: Uint32Array,
  places: Int32Array,
  count: number,
  groups: Int32Array,
): number {
  let all = 0;
  for (let index = 0; index < count; index += 1) {
    const cell = (((seconds[places[index] ?? 0] ?? 0) / CELL_SECONDS) | 0) - firstCell;
    const period = cells[cell] ?? SPLIT;
    groups[index] = period;
    all |= period;
  }
  return all;
}

/** The last period that has begun at a time. */
function periodAt(starts: Float64Array, time: number): number {
  let low = 0;
  let high = starts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] ?? 0) <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}
