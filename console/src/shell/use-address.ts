/** The address of the page that is open, as its state. */
import { useLayoutEffect, useRef } from "react";
import { useLocation, useSearchParams } from "react-router";

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
  // A change after a response must not bring back what the page was asked to do before the request.
  const latestState = useRef(state);
  useLayoutEffect(() => {
    latestState.current = state;
  });
  return {
    query,
    readLatest,
    change(values, way) {
      const next = readLatest();
      for (const [name, value] of Object.entries({ page: "", ...values }))
        if (value) next.set(name, value);
        else next.delete(name);
      // The state knows the list from which a record was opened.
      setQuery(next, { replace: way !== "push", state: latestState.current, flushSync: true });
    },
    clear: () => setQuery({}, { flushSync: true }),
  };
}
