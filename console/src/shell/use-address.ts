/** The address of the page that is open, as its state. */
import { useLocation, useSearchParams } from "react-router";

export interface Address {
  query: URLSearchParams;
  /** As it is now: a page shows a change of its address a moment later. */
  readLatest(): URLSearchParams;
  /** Sets the values that are given and removes the empty ones; a list begins again on its first page. */
  change(values: Readonly<Record<string, string>>): void;
  clear(): void;
}

const readLatest = () => new URLSearchParams(window.location.search);

export function useAddress(): Address {
  const [query, setQuery] = useSearchParams();
  const { state } = useLocation();
  return {
    query,
    readLatest,
    change(values) {
      const next = readLatest();
      for (const [name, value] of Object.entries({ page: "", ...values }))
        if (value) next.set(name, value);
        else next.delete(name);
      // The state knows the list from which a record was opened.
      setQuery(next, { replace: true, state });
    },
    clear: () => setQuery({}),
  };
}
