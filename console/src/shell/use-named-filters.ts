/** The filters with a name of the user who is logged in, in the memory of this browser. */
import { useMemo, useSyncExternalStore } from "react";
import { useSession } from "../session/session.ts";
import { type FilteredList, type NamedFilter, readNamedFilters } from "./named-filters.ts";

const listeners = new Set<() => void>();

function listen(listener: () => void): () => void {
  listeners.add(listener);
  // Other tabs.
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Each user has their own, also after another one used the same browser. */
export function useNamedFilters() {
  const { data: session } = useSession();
  const key = `console.filters.${session?.user.id ?? ""}`;
  const stored = useSyncExternalStore(listen, () => readStored(key));
  const filters = useMemo(() => readNamedFilters(stored), [stored]);
  /** @returns whether the browser keeps them */
  const keep = (list: FilteredList, changed: readonly NamedFilter[]): boolean => {
    try {
      // As they are now: another tab may have added one.
      const all = readNamedFilters(readStored(key));
      localStorage.setItem(key, JSON.stringify({ ...all, [list]: changed }));
    } catch {
      return false;
    }
    for (const listener of listeners) listener();
    return true;
  };
  return { filters, keep };
}
