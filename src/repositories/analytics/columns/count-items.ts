/** Counts each item, such that books can be counted from it: alone and within whole languages, contacts over both. */
import { BookSets, type ItemGrouping } from "./book-sets.ts";
import { NOBODY } from "./contact-numbers.ts";
import { countContact, countDownload, newCounts, type PartCounts, seeContact } from "./counts.ts";
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

/** The contact at hand, and the books that they have got through whole languages. */
interface Reader {
  contact: number;
  set: number;
}

/**
 * The whole languages of a contact come before their plain books. All books of the first archive are new to them, of a
 * further one those that no former one had; a plain book is new if no archive had it and it wasn't seen before.
 */
function countRows(
  { rows: { runs, items, marks }, places, count }: Scan,
  { grouping, sets, counts }: { grouping: ItemGrouping; sets: BookSets; counts: Int32Array },
  reader: Reader,
): void {
  const { bits, bookOf } = grouping;
  const { empty } = sets;
  let { contact, set } = reader;
  for (let index = 0; index < count; index += 1) {
    const place = places[index] ?? 0;
    const run = runs[place] ?? 0;
    const item = items[place] ?? 0;
    if (run >>> 1 !== contact) {
      contact = run >>> 1;
      set = empty;
    }
    countDownload(counts, item, marks[place] ?? 0);
    const isNew = seeContact(counts, item, contact);
    if ((run & 1) === 1) countContact(counts, item, isNew & ~bitOf(bits, set, bookOf[item] ?? 0));
    else if (isNew === 1 && set !== empty) set = sets.unite(set, item);
    else if (isNew === 1) {
      countContact(counts, item, 1);
      set = sets.of(item);
    }
  }
  reader.contact = contact;
  reader.set = set;
}

const bitOf = (bits: Int32Array, set: number, book: number): number =>
  (bits[set + (book >>> 5)] ?? 0) >>> book;
