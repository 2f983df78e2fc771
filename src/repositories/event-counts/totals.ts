/** What is counted, by group or by item. */
export interface Totals {
  downloads: Float64Array;
  redeemed: Float64Array;
  contacts: Float64Array;
  /** By group; empty by item. */
  books: Float64Array;
  /** By item: the number of contacts who received each book only through a further archive. Empty by group. */
  furtherContacts: Float64Array;
}

/** The totals after some rows are no longer counted and others are. Those of the latter have all groups. */
export function changeTotals(totals: Totals, without: Totals, further: Totals): Totals {
  const sum = (field: keyof Totals) =>
    further[field].map((more, at) => (totals[field][at] ?? 0) - (without[field][at] ?? 0) + more);
  return {
    downloads: sum("downloads"),
    redeemed: sum("redeemed"),
    contacts: sum("contacts"),
    books: sum("books"),
    furtherContacts: sum("furtherContacts"),
  };
}

/** Bytes; at least one, for a cache. */
export const sizeOfTotals = ({ downloads, redeemed, contacts, books, furtherContacts }: Totals): number =>
  [downloads, redeemed, contacts, books, furtherContacts].reduce(
    (sum, { byteLength }) => sum + byteLength,
    1,
  );
