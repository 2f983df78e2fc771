/** The first rows of a report by downloads, and the counts of all others. */
import { sortInTurns } from "../../lib/event-loop.ts";
import type { Others } from "../../schemas/analytics-reports.schemas.ts";

interface Row {
  totalDownloads: number;
  totalBooks: number;
}

interface Report<R, Key> {
  limit: number;
  /** All rows. It begins to count before it waits for anything else. */
  rows(): Promise<R[]>;
  /** Most downloads first. */
  compare(one: R, other: R): number;
  keyOf(row: R): Key;
  /** Distinct contacts of all rows except those with the given keys. */
  contactsOfRest(shown: readonly Key[]): Promise<number>;
}

/** Attempts to count the rows and the contacts of the others in one state. Between two, the first rows rarely change. */
const MAX_ATTEMPTS = 5;

/**
 * What the others are is known only after rows have been counted, so these are counted again together with the contacts
 * of the others: counts that are requested together see the same state.
 */
export async function firstRows<R extends Row, Key extends string | null>(
  report: Report<R, Key>,
): Promise<{ data: R[]; others: Others }> {
  let shown: Key[] = [];
  for (let attempt = 1; ; attempt += 1) {
    const [rows, uniqueContacts] = await Promise.all([report.rows(), report.contactsOfRest(shown)]);
    const sorted = await sortInTurns(rows, report.compare);
    const [data, rest] = [sorted.slice(0, report.limit), sorted.slice(report.limit)];
    const keys = data.map(report.keyOf);
    if (attempt === MAX_ATTEMPTS || isSame(keys, shown) || rest.length === 0)
      return { data, others: { ...sumsOf(rest), uniqueContacts: rest.length === 0 ? 0 : uniqueContacts } };
    shown = keys;
  }
}

const isSame = <Key>(keys: readonly Key[], others: readonly Key[]): boolean =>
  new Set(keys).symmetricDifference(new Set(others)).size === 0;

const sumsOf = (rows: readonly Row[]) => ({
  rows: rows.length,
  totalDownloads: rows.reduce((sum, { totalDownloads }) => sum + totalDownloads, 0),
  totalBooks: rows.reduce((sum, { totalBooks }) => sum + totalBooks, 0),
});
