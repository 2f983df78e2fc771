/** The state of a page that stands in its address, so that it can be kept, sent and gone back to. */
import { useEffect, useRef } from "react";
import { useSearchParams } from "react-router";

export interface Address {
  query: URLSearchParams;
  /** Sets the values that are given and removes the empty ones; a list begins again on its first page. */
  change(values: Readonly<Record<string, string>>): void;
  clear(): void;
}

export function useAddress(): Address {
  const [query, setQuery] = useSearchParams();
  // The router sets an address a moment later: a second change meanwhile must not lose the first.
  const latest = useRef(query);
  useEffect(() => {
    latest.current = query;
  }, [query]);
  return {
    query,
    change(values) {
      const next = new URLSearchParams(latest.current);
      for (const [name, value] of Object.entries({ page: "", ...values }))
        if (value) next.set(name, value);
        else next.delete(name);
      latest.current = next;
      setQuery(next, { replace: true });
    },
    clear: () => setQuery({}),
  };
}

/** What stands in the address of a list besides its filters. */
const NO_FILTERS = new Set(["page", "sort", "timezone"]);

export const hasFilter = (query: URLSearchParams): boolean =>
  [...query].some(([name, value]) => value !== "" && !NO_FILTERS.has(name));

/** The page of a list, from 1. */
export const readPage = (query: URLSearchParams): number =>
  Math.max(Math.trunc(Number(query.get("page"))) || 1, 1);
