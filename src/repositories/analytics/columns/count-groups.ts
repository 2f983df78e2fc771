/** Counts downloads, books, redemptions and distinct contacts of each group: one scan, exact. */
import { countContact, countDownload, newCounts, type PartCounts, seeContact } from "./counts.ts";
import type { Numbers } from "./number-lists.ts";
import { writePeriods } from "./periods.ts";
import type { Rows } from "./rows.ts";
import { BLOCK_ROWS, Scan } from "./scan.ts";
import type { CountGrouping, CountTask } from "./task.ts";

type Grouping = Exclude<CountGrouping, { by: "item" }>;

export function countGroups(task: CountTask, grouping: Grouping): PartCounts {
  const made = { counts: newCounts(grouping.size), sums: new Float64Array(grouping.size) };
  const groups = new Int32Array(BLOCK_ROWS);
  const scan = new Scan(task);
  while (scan.next()) {
    const { rows, places, count } = scan;
    writeGroups(grouping, rows, places, count, groups);
    countRows(scan, groups, made, task.bookCounts);
  }
  return made;
}

function writeGroups(
  grouping: Grouping,
  rows: Rows,
  places: Int32Array,
  count: number,
  groups: Int32Array,
): void {
  // By nothing, all are in the group 0, as the list is from the beginning.
  if (grouping.by === "word") gather(rows[grouping.column], places, count, groups);
  if (grouping.by === "period") writePeriods(grouping, rows, places, count, groups);
}

function gather(column: Numbers, places: Int32Array, count: number, groups: Int32Array): void {
  for (let index = 0; index < count; index += 1) groups[index] = column[places[index] ?? 0] ?? 0;
}

function countRows(
  { rows: { runs, items, marks }, places, count }: Scan,
  groups: Int32Array,
  { counts, sums }: PartCounts,
  bookCounts: Float64Array,
): void {
  for (let index = 0; index < count; index += 1) {
    const place = places[index] ?? 0;
    const group = groups[index] ?? 0;
    countDownload(counts, group, marks[place] ?? 0);
    countContact(counts, group, seeContact(counts, group, (runs[place] ?? 0) >>> 1));
    sums[group] = (sums[group] ?? 0) + (bookCounts[items[place] ?? 0] ?? 0);
  }
}
