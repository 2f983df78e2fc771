/** What a page is asked to do when it is opened, for example to show the form of a new record. */
import { useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";

export type PageRequest = "add" | "run";

/** The state of a link that asks for it. */
export const ask = (request: PageRequest) => ({ request });

/** A change of the address doesn't ask again, also if it was begun before the request was noted as done. */
export function dropRequest(state: unknown): unknown {
  if (typeof state !== "object" || state === null || !("request" in state)) return state;
  const { request: _, ...rest } = state;
  return rest;
}

/** Calls back once if the page was opened with a request. */
export function usePageRequest(request: PageRequest, run: () => void): void {
  const { pathname, search, state, key } = useLocation();
  const go = useNavigate();
  const done = useRef("");
  useEffect(() => {
    if (state?.request !== request || done.current === key) return;
    done.current = key;
    // The way back to this address doesn't ask again.
    void go({ pathname, search }, { replace: true });
    run();
  });
}
