/** What is counted, by group or by item. */
export interface Totals {
  downloads: Float64Array;
  redeemed: Float64Array;
  contacts: Float64Array;
  /** Books by group; by item, the number of contacts who received each book through another archive. */
  books: Float64Array;
}

/** The totals after some rows are no longer counted and others are. Those of the latter have all groups. */
export function changedTotals(totals: Totals, without: Totals, further: Totals): Totals {
  const sum = (field: keyof Totals) =>
    further[field].map((more, at) => (totals[field][at] ?? 0) - (without[field][at] ?? 0) + more);
  return {
    downloads: sum("downloads"),
    redeemed: sum("redeemed"),
    contacts: sum("contacts"),
    books: sum("books"),
  };
}
