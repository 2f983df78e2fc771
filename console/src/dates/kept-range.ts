/** Remembers the last date range, so that links to other pages keep it. */
import { createStore, useStore } from "../lib/store.ts";
import { namesRange } from "./range.ts";

const kept = createStore("");

/** @param query of the address of a page; without a range, none is kept */
export function keepRange(query: URLSearchParams): void {
  const next = new URLSearchParams();
  if (namesRange(query))
    for (const name of ["range", "startDate", "endDate", "timezone"]) {
      const value = query.get(name);
      if (value) next.set(name, value);
    }
  kept.write(next.size > 0 ? `?${next}` : "");
}

/** As the query of an address; empty: each page begins with its own. */
export const useKeptRange = (): string => useStore(kept);
