/** Counts downloads, books, redemptions and distinct contacts of each group or item: one scan, exact. */
import type { EventColumns } from "./event-columns.ts";
import { BookSets, type ItemGrouping, type PeriodGrouping, writePeriods } from "./groupings.ts";
import type { RowRange } from "./ranges.ts";
import { type EventRows, NO_CONTACT, type WordColumn } from "./rows.ts";
import { BLOCK_ROWS, type CountScope, Scan } from "./scan.ts";
import { changeTotals, type Totals } from "./totals.ts";

/** How rows are grouped; `size` is the number of groups. */
export type CountGrouping =
  | { by: "nothing"; size: 1 }
  | { by: "word"; size: number; column: WordColumn }
  | MappedGrouping
  | PeriodGrouping
  | ItemGrouping;

/** By what the numbers in a column stand for. */
export interface MappedGrouping {
  by: "mapped";
  size: number;
  column: "items" | "origins" | "countries" | "languages";
  /** The group, by number in the column. */
  groups: Int32Array;
}

const FIELDS = 4;
/** Downloads that weren't redeemed and those that were, indexed by the mark. */
const REDEEMED = 1;
const CONTACTS = 2;
/** The contact that was seen last. */
const LAST = 3;

const createCounts = (groups: number): Int32Array => new Int32Array(groups * FIELDS);

function countDownload(counts: Int32Array, group: number, marks: number): void {
  const at = group * FIELDS + (marks & REDEEMED);
  counts[at] = (counts[at] ?? 0) + 1;
}

/**
 * @returns 1 if the group's last contact is a different one, else 0. The missing contact is 0 and sorts first, so it
 * never counts
 */
function seeContact(counts: Int32Array, group: number, contact: number): number {
  const at = group * FIELDS + LAST;
  const difference = (counts[at] ?? 0) ^ contact;
  counts[at] = contact;
  return -difference >>> 31;
}

function countContact(counts: Int32Array, group: number, isNew: number): void {
  const at = group * FIELDS + CONTACTS;
  counts[at] = (counts[at] ?? 0) + isNew;
}

function sumTotals(counts: Int32Array): Omit<Totals, "books" | "furtherContacts"> {
  const field = (offset: number) =>
    Float64Array.from({ length: counts.length / FIELDS }, (_, group) => counts[group * FIELDS + offset] ?? 0);
  const redeemed = field(REDEEMED);
  const downloads = field(0).map((others, group) => others + (redeemed[group] ?? 0));
  return { downloads, redeemed, contacts: field(CONTACTS) };
}

export const NONE = new Float64Array(0);

interface Counted<G = CountGrouping> {
  columns: EventColumns;
  scope: CountScope;
  grouping: G;
}

type Grouping = Exclude<CountGrouping, { by: "item" }>;

function countGroups({ columns, scope, grouping }: Counted<Grouping>, ranges: readonly RowRange[]): Totals {
  const counts = createCounts(grouping.size);
  const books = new Float64Array(grouping.size);
  const groups = new Int32Array(BLOCK_ROWS);
  const bookCounts = Float64Array.from(columns.items.list, ({ booksCount }) => booksCount);
  const scan = new Scan(ranges, scope);
  while (scan.next()) {
    const { rows, places, count } = scan;
    writeGroups(grouping, rows, places, count, groups);
    countGrouped(scan, groups, { counts, books, bookCounts });
  }
  return { ...sumTotals(counts), books, furtherContacts: NONE };
}

function writeGroups(
  grouping: Grouping,
  rows: EventRows,
  places: Int32Array,
  count: number,
  groups: Int32Array,
): void {
  // Without grouping, all rows are in group 0, which is the initial value of the list.
  if (grouping.by === "word") gather(rows[grouping.column], places, count, groups);
  if (grouping.by === "mapped") gatherMapped(grouping.groups, rows[grouping.column], places, count, groups);
  if (grouping.by === "period") writePeriods(grouping, rows, places, count, groups);
}

function gather(column: Uint16Array, places: Int32Array, count: number, groups: Int32Array): void {
  for (let index = 0; index < count; index += 1) groups[index] = column[places[index] ?? 0] ?? 0;
}

function gatherMapped(
  groupOf: Int32Array,
  column: Uint32Array | Uint16Array,
  places: Int32Array,
  count: number,
  groups: Int32Array,
): void {
  for (let index = 0; index < count; index += 1)
    groups[index] = groupOf[column[places[index] ?? 0] ?? 0] ?? 0;
}

function countGrouped(
  { rows: { runs, items, marks }, places, count }: Scan,
  groups: Int32Array,
  { counts, books, bookCounts }: { counts: Int32Array; books: Float64Array; bookCounts: Float64Array },
): void {
  for (let index = 0; index < count; index += 1) {
    const place = places[index] ?? 0;
    const group = groups[index] ?? 0;
    countDownload(counts, group, marks[place] ?? 0);
    countContact(counts, group, seeContact(counts, group, (runs[place] ?? 0) >>> 1));
    books[group] = (books[group] ?? 0) + (bookCounts[items[place] ?? 0] ?? 0);
  }
}

/**
 * Counts each item so that books can be derived from it: single books and whole languages, with distinct contacts over
 * both.
 */
function countItems({ scope, grouping }: Counted<ItemGrouping>, ranges: readonly RowRange[]): Totals {
  const counts = createCounts(grouping.size);
  const sets = new BookSets(grouping);
  const reader: Reader = { contact: NO_CONTACT, set: sets.empty };
  const scan = new Scan(ranges, scope);
  while (scan.next()) countItemRows(scan, { grouping, sets, counts }, reader);
  return { ...sumTotals(counts), books: NONE, furtherContacts: sets.countGains() };
}

interface Counting {
  grouping: ItemGrouping;
  sets: BookSets;
  counts: Int32Array;
}

/** The current contact, and the books that they received through whole languages. */
interface Reader {
  contact: number;
  set: number;
}

/**
 * A contact's whole languages precede their single books. All books of the first archive are new to the contact; of a
 * further archive, those that no earlier one contained. A single book is new if no archive contained it and it wasn't
 * seen before.
 */
function countItemRows(scan: Scan, { grouping, sets, counts }: Counting, reader: Reader): void {
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
    if (seeContact(counts, item, contact) === 1) set = addItem(item, set, sets, counts);
    index += 1;
  }
  reader.contact = contact;
  reader.set = set;
}

function addItem(item: number, set: number, sets: BookSets, counts: Int32Array): number {
  if (set !== sets.empty) return sets.unite(set, item);
  countContact(counts, item, 1);
  return sets.of(item);
}

/** Counts the single books of a contact from a given row on. @returns the index after the last one in the block */
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

const countRanges = ({ grouping, ...counted }: Counted, ranges: readonly RowRange[]): Totals =>
  grouping.by === "item"
    ? countItems({ ...counted, grouping }, ranges)
    : countGroups({ ...counted, grouping }, ranges);

/**
 * Counts all rows. What was counted in the base is kept until the base changes; then only the contacts of the rows in
 * the delta are counted again.
 * @param question identifies what is counted
 */
export function countRows(counted: Counted, question: string): Totals {
  const { columns } = counted;
  const { base, keptTotals } = columns;
  const ofBase =
    keptTotals.get(question) ?? countRanges(counted, [{ rows: base, from: 0, until: base.length }]);
  keptTotals.set(question, ofBase);
  const { before, after } = columns.findAffectedRows();
  return changeTotals(ofBase, countRanges(counted, before), countRanges(counted, after));
}
