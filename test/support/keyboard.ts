/** Moves through a page as those do who use no mouse. */
import type { Locator, Page } from "playwright-core";

/** As many stops as a page has at most before the one that is looked for. */
const MOST_STOPS = 300;

export const hasFocus = async (page: Page, element: Locator): Promise<boolean> =>
  (await element.and(page.locator(":focus")).count()) === 1;

/** Presses a key until an element has the focus; not at all if it has it. */
export async function pressUntil(page: Page, key: string, element: Locator): Promise<void> {
  await element.waitFor();
  if (await hasFocus(page, element)) return;
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    await page.keyboard.press(key);
    // Dialogs correct the focus after a date field by a timer, which nobody types faster than.
    await page.evaluate("new Promise((done) => setTimeout(done, 5))");
    if (await hasFocus(page, element)) return;
  }
  throw new Error(`the keyboard doesn't reach ${element}`);
}

/** Goes to an element by Tab, forwards or backwards, unless it has the focus. */
export async function reach(page: Page, element: Locator): Promise<void> {
  await element.waitFor();
  if (await hasFocus(page, element)) return;
  const isBehind = await element.evaluate(
    (wanted: { compareDocumentPosition(other: unknown): number }, focused) =>
      (wanted.compareDocumentPosition(focused) & 4) !== 0,
    await page.evaluateHandle("document.activeElement"),
  );
  await pressUntil(page, isBehind ? "Shift+Tab" : "Tab", element);
}
