/** The filters with a name of the user who is logged in, in the memory of this browser. */
import { useMemo } from "react";
import { readStored, useStored, writeStored } from "../lib/browser-storage.ts";
import { useSession } from "../session/session.ts";
import { type FilteredList, type NamedFilter, readNamedFilters } from "./named-filters.ts";

/** Each user has their own, also after another one used the same browser. */
export function useNamedFilters() {
  const { data: session } = useSession();
  const key = `console.filters.${session?.user.id ?? ""}`;
  const stored = useStored(key);
  const filters = useMemo(() => readNamedFilters(stored), [stored]);
  /** @returns whether the browser keeps them */
  const keep = (list: FilteredList, changed: readonly NamedFilter[]): boolean => {
    // As they are now: another tab may have added one.
    const all = readNamedFilters(readStored(key));
    return writeStored(key, JSON.stringify({ ...all, [list]: changed }));
  };
  return { filters, keep };
}
