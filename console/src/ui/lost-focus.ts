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

/**
 * A button is disabled while it works, and the browser takes the focus from it without a word: it gets it back afterwards
 * unless something else has it. Otherwise Tab would begin at the top of the page, also behind a dialog.
 */
export function returnFocusToButtons(): void {
  let last: EventTarget | null = null;
  document.addEventListener("focusin", ({ target }) => {
    last = target;
  });
  document.addEventListener("focusout", () => {
    if (!isDisabled(last)) last = null;
  });
  const changes = new MutationObserver(() => {
    if (document.activeElement !== document.body) return;
    if (last instanceof HTMLButtonElement && !isDisabled(last)) last.focus({ preventScroll: true });
  });
  changes.observe(document, { subtree: true, attributeFilter: ["disabled"] });
}

const isDisabled = (target: EventTarget | null): boolean =>
  target instanceof HTMLButtonElement && target.disabled;
