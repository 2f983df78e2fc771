/** Responds to a query from the columns: which rows are scanned, how they are grouped, and the counts. */
import type { EventFilter } from "../exports/download-log.ts";
import { type CountGrouping, countRows, type MappedGrouping, NONE } from "./counts.ts";
import type { EventColumns } from "./event-columns.ts";
import { groupByItem, groupByPeriod } from "./groupings.ts";
import type { Items } from "./items.ts";
import type { WordColumn } from "./rows.ts";
import { createScope } from "./scan.ts";
import type { Totals } from "./totals.ts";

/** By what some groups and the rest are counted in two questions. */
export type GroupedKind = "book" | "country" | "language";

export type CountQuestion =
  | { by: "everything" | "language" | "country" | "device" | "book"; filter: EventFilter }
  /** The campaigns with the most downloads, and the others together: there can be as many as events. */
  | { by: "campaign"; limit: number; filter: EventFilter }
  /** All groups except those with the given keys, as one group. */
  | { by: "rest"; of: GroupedKind; without: readonly CountKey[]; filter: EventFilter }
  /** The starts of periods in epoch milliseconds, ascending, and in the end that of the last one. */
  | { by: "period"; filter: EventFilter; starts: Float64Array };

/** What the columns alone can respond to. */
type SimpleQuestion = Exclude<CountQuestion, { by: "campaign" }>;

/** The value by which rows are grouped: an id, a code, a name, a start time, or "" for a single group. */
export type CountKey = string | number | null;

type GroupTotals = Omit<Totals, "furtherContacts">;

/** In columns: the entries with the same index belong together. */
export interface CountResponse extends GroupTotals {
  keys: CountKey[];
  /** What a question with a limit leaves out. */
  others?: OtherGroups;
}

export const NO_GROUPS: CountResponse = {
  keys: [],
  downloads: NONE,
  books: NONE,
  redeemed: NONE,
  contacts: NONE,
};

export interface OtherGroups {
  groups: number;
  downloads: number;
  books: number;
  /** Distinct over all of them. */
  contacts: number;
}

/** Excludes events outside all periods. */
const limitToPeriods = (starts: Float64Array, filter: EventFilter): EventFilter => ({
  ...filter,
  from: Math.max(filter.from ?? -Infinity, starts[0] ?? Infinity),
  until: Math.min(filter.until ?? Infinity, starts.at(-1) ?? -Infinity),
});

/** How the question groups rows, and the key of each group. */
function chooseGrouping(
  columns: EventColumns,
  question: SimpleQuestion,
): { grouping: CountGrouping; keys: readonly CountKey[] } {
  const groupByWord = (column: WordColumn) => {
    const keys = columns[column].words;
    return { grouping: { by: "word", column, size: keys.length } as const, keys };
  };
  switch (question.by) {
    case "everything":
      return { grouping: { by: "nothing", size: 1 }, keys: [""] };
    case "language":
      return groupByWord("languages");
    case "country":
      return groupByWord("countries");
    case "device":
      return groupByWord("devices");
    case "rest":
      return { grouping: restOf(columns, question.of, new Set(question.without)), keys: [null, REST] };
    case "period":
      return { grouping: groupByPeriod(columns, question.starts), keys: [...question.starts] };
    case "book":
      return { grouping: groupByItem(columns.items), keys: columns.items.books.words };
  }
}

/** The key of the rest. */
const REST = "";

/** Group 1 is the rest. An archive belongs to it if one of its books does. */
function restOf(columns: EventColumns, of: GroupedKind, without: ReadonlySet<CountKey>): MappedGrouping {
  const rest = (isRest: boolean): number => (isRest ? 1 : 0);
  const ofWords = (words: readonly CountKey[]) => Int32Array.from(words, (key) => rest(!without.has(key)));
  switch (of) {
    case "country":
      return { by: "mapped", column: "countries", size: 2, groups: ofWords(columns.countries.words) };
    case "language":
      return { by: "mapped", column: "languages", size: 2, groups: ofWords(columns.languages.words) };
    case "book": {
      const { list, books } = columns.items;
      const groups = ofWords(books.words);
      const ofItems = Int32Array.from(list, ({ members }) =>
        rest(members.some((book) => groups[book] === 1)),
      );
      return { by: "mapped", column: "items", size: 2, groups: ofItems };
    }
  }
}

export function createResponse(columns: EventColumns, question: SimpleQuestion): CountResponse {
  const { filter } = question;
  const scope = createScope(
    columns,
    question.by === "period" ? limitToPeriods(question.starts, filter) : filter,
  );
  if (!scope) return NO_GROUPS;
  const { grouping, keys } = chooseGrouping(columns, question);
  const { filter: _, ...asked } = question;
  const totals = countRows({ columns, scope, grouping }, keyOf(filter, asked));
  return selectRows(keys, grouping.by === "item" ? countBooks(columns.items, totals) : totals);
}

/**
 * Questions with the same key have the same counts. A caller's filter may have further fields, such as the page of the
 * event log, which don't change what is counted.
 */
export function keyOf(filter: EventFilter, grouping: unknown): string {
  const { from, until, languageId, bookId, countryCode, deviceType, fileType, ...others } = filter;
  const { utmSource, utmMedium, utmCampaign, isRedeemed, includeBots } = others;
  return JSON.stringify([
    ...[grouping, from, until, languageId, bookId, countryCode, deviceType, fileType],
    ...[utmSource, utmMedium, utmCampaign, isRedeemed, includeBots],
  ]);
}

/** Converts counts of items into counts of their books. */
function countBooks({ list, books }: Items, items: Totals): GroupTotals {
  const none = () => new Float64Array(books.words.length);
  const contacts = items.furtherContacts.slice(0, books.words.length);
  const totals = { downloads: none(), books: none(), redeemed: none(), contacts };
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
function selectRows(keys: readonly CountKey[], totals: GroupTotals): CountResponse {
  const { downloads, books } = totals;
  const groups = [...keys.keys()].filter((group) => (downloads[group] ?? 0) + (books[group] ?? 0) > 0);
  return { keys: groups.map((group) => keys[group] ?? null), ...pickRows(totals, groups) };
}

export function pickRows(
  { downloads, books, redeemed, contacts }: GroupTotals,
  groups: readonly number[],
): GroupTotals {
  const those = (values: Float64Array) => Float64Array.from(groups, (group) => values[group] ?? 0);
  return {
    downloads: those(downloads),
    books: those(books),
    redeemed: those(redeemed),
    contacts: those(contacts),
  };
}
