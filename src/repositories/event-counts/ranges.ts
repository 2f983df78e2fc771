/** Which rows are counted again because of new ones. */
import { type EventRows, findFirstOfRun, NO_CONTACT } from "./rows.ts";

export interface RowRange {
  rows: EventRows;
  from: number;
  until: number;
}

/** The rows of contacts that have rows in the delta, ordered by run. */
export interface AffectedRows {
  /** Those in the base. */
  before: readonly RowRange[];
  /** All of them: the ranges alternate between base and delta. */
  after: readonly RowRange[];
}

/**
 * Rows without a contact don't affect each other: of these, only the ones in the delta are counted.
 * @param delta sorted
 * @param insertionPoints for each row of the delta, the index of the base row before which it belongs
 */
export function findAffectedRows(
  base: EventRows,
  delta: EventRows,
  insertionPoints: Uint32Array,
): AffectedRows {
  const [before, after]: [RowRange[], RowRange[]] = [[], []];
  for (let row = 0; row < delta.length; ) {
    const contact = contactAt(delta, row);
    const isKnown = contact !== NO_CONTACT;
    const until = findFirstOfRun(base, 2 * (contact + 1));
    let from = isKnown ? findFirstOfRun(base, 2 * contact) : until;
    add(before, base, from, until);
    for (; row < delta.length && contactAt(delta, row) === contact; row += 1) {
      const point = isKnown ? (insertionPoints[row] ?? 0) : until;
      add(after, base, from, point);
      add(after, delta, row, row + 1);
      from = point;
    }
    add(after, base, from, until);
  }
  return { before, after };
}

const contactAt = ({ runs }: EventRows, place: number): number => (runs[place] ?? 0) >>> 1;

function add(ranges: RowRange[], rows: EventRows, from: number, until: number): void {
  if (from < until) ranges.push({ rows, from, until });
}
