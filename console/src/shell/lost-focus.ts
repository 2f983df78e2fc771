/** Where the focus goes when what had it goes. */
import { useEffect } from "react";

/** After dialogs have given the focus back to what opened them, if that is still there. */
const FOCUS_RETURNS_MS = 50;

/** For what can go with a row or a bar: afterwards, the heading of the page has the focus that nothing else has. */
export function useFocusAfterwards(): void {
  useEffect(
    () => () => {
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        document.querySelector<HTMLElement>("#content h1")?.focus({ preventScroll: true });
      }, FOCUS_RETURNS_MS);
    },
    [],
  );
}
