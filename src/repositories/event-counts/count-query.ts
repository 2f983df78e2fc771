/** Answers questions about the columns: what is to be counted, and the rows that come of it. */
import type { EventFilter } from "../exports/download-log.ts";
import { type CountGrouping, countedOf, countRowsOf, type GroupCounts } from "./counts.ts";
import type { EventColumns } from "./event-columns.ts";
import { itemsOf, periodsOf } from "./groupings.ts";
import type { Items } from "./items.ts";
import { scopeOf } from "./scan.ts";

export type CountQuestion =
  | { by: "everything" | "language" | "country" | "device" | "book"; filter: EventFilter }
  /** The starts of periods in epoch milliseconds, ascending, and in the end that of the last one. */
  | { by: "period"; filter: EventFilter; starts: Float64Array };

/** The value by which rows are grouped: an id, a code, a name, a start time, or "" for a single group. */
export type CountKey = string | number | null;

/** In columns: the entries with the same index belong together. */
export interface CountResponse {
  keys: CountKey[];
  downloads: Float64Array;
  books: Float64Array;
  redeemed: Float64Array;
  contacts: Float64Array;
}

/** Excludes events outside all periods. */
const within = (starts: Float64Array, filter: EventFilter): EventFilter => ({
  ...filter,
  from: Math.max(filter.from ?? -Infinity, starts[0] ?? Infinity),
  until: Math.min(filter.until ?? Infinity, starts.at(-1) ?? -Infinity),
});

function groupingOf(columns: EventColumns, question: CountQuestion): CountGrouping {
  switch (question.by) {
    case "everything":
      return { by: "nothing", size: 1 };
    case "language":
      return { by: "word", column: "languages", size: columns.languages.words.length };
    case "country":
      return { by: "word", column: "countries", size: columns.countries.words.length };
    case "device":
      return { by: "word", column: "devices", size: columns.devices.words.length };
    case "period":
      return periodsOf(columns, question.starts);
    case "book":
      return itemsOf(columns.items);
  }
}

/** By group number. */
interface Totals {
  downloads: Float64Array;
  books: Float64Array;
  redeemed: Float64Array;
  contacts: Float64Array;
}

export function responseTo(columns: EventColumns, question: CountQuestion): CountResponse {
  const { filter } = question;
  const scope = scopeOf(columns, question.by === "period" ? within(question.starts, filter) : filter);
  if (!scope) return rowsOf([], totalsOf({ counts: new Int32Array(0), sums: new Float64Array(0) }));
  const totals = totalsOf(countRowsOf(columns, scope, groupingOf(columns, question)));
  switch (question.by) {
    case "everything":
      return rowsOf([""], totals);
    case "language":
      return rowsOf(columns.languages.words, totals);
    case "country":
      return rowsOf(columns.countries.words, totals);
    case "device":
      return rowsOf(columns.devices.words, totals);
    case "period":
      return rowsOf([...question.starts], totals);
    case "book":
      return rowsOf(columns.items.books.words, totalsOfBooks(columns.items, totals));
  }
}

const totalsOf = ({ counts, sums }: GroupCounts): Totals => ({ ...countedOf(counts), books: sums });

/** Converts counts of items into counts of their books. */
function totalsOfBooks({ list, books }: Items, items: Totals): Totals {
  const none = () => new Float64Array(books.words.length);
  const gained = items.books.slice(0, books.words.length);
  const totals = { downloads: none(), books: none(), redeemed: none(), contacts: gained };
  for (const [item, { isAlone, members }] of list.entries()) {
    for (const book of members) {
      add(totals.books, book, items.downloads[item]);
      add(totals.contacts, book, items.contacts[item]);
      if (isAlone) add(totals.downloads, book, items.downloads[item]);
      if (isAlone) add(totals.redeemed, book, items.redeemed[item]);
    }
  }
  return totals;
}

function add(totals: Float64Array, book: number, more = 0): void {
  totals[book] = (totals[book] ?? 0) + more;
}

/** The groups with at least one download; `keys` is indexed by group number. */
function rowsOf(keys: readonly CountKey[], { downloads, books, redeemed, contacts }: Totals): CountResponse {
  const groups = [...keys.keys()].filter((group) => (downloads[group] ?? 0) + (books[group] ?? 0) > 0);
  const those = (values: Float64Array) => Float64Array.from(groups, (group) => values[group] ?? 0);
  return {
    keys: groups.map((group) => keys[group] ?? null),
    downloads: those(downloads),
    books: those(books),
    redeemed: those(redeemed),
    contacts: those(contacts),
  };
}
