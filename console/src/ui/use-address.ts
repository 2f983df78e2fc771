/** The address of the page that is open, as its state. */
import { useLocation, useSearchParams } from "react-router";
import { dropRequest } from "./page-request.ts";

export interface Address {
  query: URLSearchParams;
  /** As it is now, also after a change that isn't shown yet. */
  readLatest(): URLSearchParams;
  /**
   * Sets the values that are given and removes the empty ones; a list begins again on its first page. It is shown at
   * once: as a transition, fields would show the former choice until the list is drawn.
   * @param way `push`: the way back leads to what was shown before, as after a link
   */
  change(values: Readonly<Record<string, string>>, way?: "push"): void;
  clear(): void;
}

const readLatest = () => new URLSearchParams(window.location.search);

export function useAddress(): Address {
  const [query, setQuery] = useSearchParams();
  const { state } = useLocation();
  return {
    query,
    readLatest,
    change(values, way) {
      const next = readLatest();
      for (const [name, value] of Object.entries({ page: "", ...values }))
        if (value) next.set(name, value);
        else next.delete(name);
      // The state knows the list from which a record was opened.
      setQuery(next, { replace: way !== "push", state: dropRequest(state), flushSync: true });
    },
    clear: () => setQuery({}, { flushSync: true }),
  };
}
