/** Counts what the readers of a day did, deed by deed. */
import type { Deed } from "./replay.ts";

export interface Counted {
  totalDownloads: number;
  totalBooks: number;
  uniqueContacts: number;
  redeemed: number;
}

export function countOf(deeds: readonly Deed[]): Counted {
  const readers = new Set<string>();
  const counted = { totalDownloads: 0, totalBooks: 0, redeemed: 0 };
  for (const { bookIds, email, redeemedAt } of deeds) {
    counted.totalDownloads += 1;
    counted.totalBooks += bookIds.length;
    if (redeemedAt !== null) counted.redeemed += 1;
    readers.add(email);
  }
  return { ...counted, uniqueContacts: readers.size };
}

/** Of one book: downloads of it alone, and with it within whole languages. */
export function countOfBook(deeds: readonly Deed[], bookId: string): Counted {
  const alone: Deed[] = [];
  const delivered: Deed[] = [];
  for (const deed of deeds) {
    if (deed.bookId === bookId) alone.push(deed);
    if (deed.bookIds.includes(bookId)) delivered.push(deed);
  }
  const { uniqueContacts } = countOf(delivered);
  return { ...countOf(alone), totalBooks: delivered.length, uniqueContacts };
}

/** The counts of each group, by its key. */
export const countBy = (deeds: readonly Deed[], keyOf: (deed: Deed) => string): Map<string, Counted> =>
  new Map([...Map.groupBy(deeds, keyOf)].map(([key, group]) => [key, countOf(group)]));
