/** A count to be made: plain columns and numbers, so that another thread can make a part of it. */
import { z } from "zod";
import { itemGrouping } from "./book-sets.ts";
import { float64s, numbers, uint16s, uint32s } from "./growing-lists.ts";
import { periodGrouping } from "./periods.ts";
import type { Rows } from "./rows.ts";
import { countScope, wordColumn } from "./select.ts";

const countRows = z.object({
  ids: uint32s,
  runs: uint32s,
  seconds: uint32s,
  marks: uint16s,
  items: numbers,
  languages: numbers,
  countries: numbers,
  devices: numbers,
  length: z.int(),
}) satisfies z.ZodType<Rows>;

/** What rows are counted by; `size` is how many groups there are. */
export const countGrouping = z.discriminatedUnion("by", [
  z.object({ by: z.literal("nothing"), size: z.literal(1) }),
  z.object({ by: z.literal("word"), size: z.int(), column: wordColumn }),
  periodGrouping,
  itemGrouping,
]);
export type CountGrouping = z.infer<typeof countGrouping>;

/** Runs from the one on and before the other. */
const runRange = z.object({ from: z.int(), until: z.int() });
/** Runs are numbers of 32 bits. */
export const allRuns = { from: 0, until: 2 ** 32 };

export const countTask = z.object({
  base: countRows,
  delta: countRows,
  /** Before which row of the base each row of the delta belongs. */
  insertionPoints: uint32s,
  scope: countScope,
  grouping: countGrouping,
  /** By item, how many books it stands for. */
  bookCounts: float64s,
  part: runRange,
});
export type CountTask = z.infer<typeof countTask>;

/** Two parts of about the same size, whose counts add up: no contact is in both. */
export function halvesOf(task: CountTask): [CountTask, CountTask] {
  const middle = task.base.runs[task.base.length >>> 1] ?? 0;
  const run = middle - (middle % 2);
  return [
    { ...task, part: { ...allRuns, until: run } },
    { ...task, part: { ...allRuns, from: run } },
  ];
}
