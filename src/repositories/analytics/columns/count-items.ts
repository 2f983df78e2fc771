/** Counts each item, such that books can be counted from it: alone and within whole languages, contacts over both. */
import { BookSets, type ItemGrouping } from "./book-sets.ts";
import { countContact, countDownload, newCounts, type PartCounts, seeContact } from "./counts.ts";
import { NOBODY } from "./rows.ts";
import { Scan } from "./scan.ts";
import type { CountTask } from "./task.ts";

export function countItems(task: CountTask, grouping: ItemGrouping): PartCounts {
  const counts = newCounts(grouping.size);
  const sets = new BookSets(grouping);
  const reader: Reader = { contact: NOBODY, set: sets.empty };
  const scan = new Scan(task);
  while (scan.next()) countRows(scan, { grouping, sets, counts }, reader);
  return { counts, sums: sets.gains() };
}

interface Counting {
  grouping: ItemGrouping;
  sets: BookSets;
  counts: Int32Array;
}

/** The contact at hand, and the books that they have got through whole languages. */
interface Reader {
  contact: number;
  set: number;
}

/**
 * The whole languages of a contact come before their plain books. All books of the first archive are new to them, of a
 * further one those that no former one had; a plain book is new if no archive had it and it wasn't seen before.
 */
function countRows(scan: Scan, { grouping, sets, counts }: Counting, reader: Reader): void {
  const { rows, places, count } = scan;
  const { runs, items, marks } = rows;
  let { contact, set } = reader;
  for (let index = 0; index < count; ) {
    const place = places[index] ?? 0;
    const run = runs[place] ?? 0;
    if (run >>> 1 !== contact) {
      contact = run >>> 1;
      set = sets.empty;
    }
    if ((run & 1) === 1) {
      index = countPlain(scan, index, run, set, grouping, counts);
      continue;
    }
    const item = items[place] ?? 0;
    countDownload(counts, item, marks[place] ?? 0);
    if (seeContact(counts, item, contact) === 1) set = gain(item, set, sets, counts);
    index += 1;
  }
  reader.contact = contact;
  reader.set = set;
}

function gain(item: number, set: number, sets: BookSets, counts: Int32Array): number {
  if (set !== sets.empty) return sets.unite(set, item);
  countContact(counts, item, 1);
  return sets.of(item);
}

/** The plain books of a contact, from one row on. @returns the index after their last in the block */
function countPlain(
  { rows: { runs, items, marks }, places, count }: Scan,
  first: number,
  run: number,
  set: number,
  { bits, bookOf }: ItemGrouping,
  counts: Int32Array,
): number {
  const contact = run >>> 1;
  let index = first;
  let place = places[index] ?? 0;
  do {
    const item = items[place] ?? 0;
    countDownload(counts, item, marks[place] ?? 0);
    const isNew = seeContact(counts, item, contact);
    countContact(counts, item, isNew & ~bitOf(bits, set, bookOf[item] ?? 0));
    index += 1;
    place = places[index] ?? 0;
  } while (index < count && runs[place] === run);
  return index;
}

const bitOf = (bits: Int32Array, set: number, book: number): number =>
  (bits[set + (book >>> 5)] ?? 0) >>> book;
