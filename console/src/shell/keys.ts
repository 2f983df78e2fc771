/** Keys that work on a whole page. */
import { useEffect, useRef } from "react";

/** Fields without text: letters that are typed there change nothing. */
const WITHOUT_TEXT = new Set(["button", "checkbox", "file", "image", "radio", "reset", "submit"]);

/** Whether an element takes what is typed. */
function takesText(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !WITHOUT_TEXT.has(target.type);
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  );
}

/**
 * Calls back for keys that are pressed outside of texts and dialogs.
 * @param handle prevents the default if it uses the key
 */
export function usePageKeys(handle: (event: KeyboardEvent) => void): void {
  const latest = useRef(handle);
  useEffect(() => {
    latest.current = handle;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isBehind = document.querySelector("[role=dialog]") !== null;
      if (!event.defaultPrevented && !isBehind && !takesText(event.target)) latest.current(event);
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
}
