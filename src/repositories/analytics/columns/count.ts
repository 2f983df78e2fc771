/** Makes a count, by one thread or by two. */
import { countGroups } from "./count-groups.ts";
import { countItems } from "./count-items.ts";
import { type PartCounts, partCounts } from "./counts.ts";
import { type CountTask, halvesOf } from "./task.ts";

/** Fewer rows are counted before another thread has woken up. */
const ROWS_FOR_TWO = 250_000;

/** @param ask another thread to make a part of the count */
export async function count(
  task: CountTask,
  ask: (part: CountTask) => Promise<unknown>,
  rowsForTwo = ROWS_FOR_TWO,
): Promise<PartCounts> {
  if (task.base.length < rowsForTwo) return countPart(task);
  const [own, other] = halvesOf(task);
  const [asked, counted] = await Promise.all([ask(other), countPart(own)]);
  return sumOf(counted, partCounts.parse(asked));
}

export const countPart = (task: CountTask): PartCounts =>
  task.grouping.by === "item" ? countItems(task, task.grouping) : countGroups(task, task.grouping);

const sumOf = (one: PartCounts, other: PartCounts): PartCounts => ({
  counts: one.counts.map((count, index) => count + (other.counts[index] ?? 0)),
  sums: one.sums.map((sum, index) => sum + (other.sums[index] ?? 0)),
});
