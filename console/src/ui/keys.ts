/** Keys that work on a whole page. */
import { useWindowEvent } from "@mantine/hooks";

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

/** The dialog above all others. */
export const findDialog = (): Element | undefined => [...document.querySelectorAll("[role=dialog]")].at(-1);

/**
 * Calls back for keys that are pressed outside of texts and dialogs.
 * @param handle prevents the default if it uses the key
 */
export function usePageKeys(handle: (event: KeyboardEvent) => void): void {
  useWindowEvent("keydown", (event) => {
    if (!event.defaultPrevented && !findDialog() && !takesText(event.target)) handle(event);
  });
}
