/** Moves through a page as those do who use no mouse. */
import type { Locator, Page } from "playwright-core";

/** As many stops as a page has at most before the one that is looked for. */
const MOST_STOPS = 300;

const TAB = { key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 };
/** The modifiers of the protocol as bits. */
const KEYS = {
  Tab: { ...TAB, modifiers: 0 },
  "Shift+Tab": { ...TAB, modifiers: 8 },
  ArrowDown: { key: "ArrowDown", code: "ArrowDown", windowsVirtualKeyCode: 40, modifiers: 0 },
};

/**
 * Presses a key until an element has the focus; not at all if it has it. Sent to the browser itself: a trace has two copies of
 * the page for each key that Playwright presses.
 */
export async function pressUntil(page: Page, key: keyof typeof KEYS, element: Locator): Promise<void> {
  const session = await page.context().newCDPSession(page);
  let watched = await element.elementHandle();
  for (let stops = 0; ; ) {
    const state = await watched?.evaluate(READ_FOCUS);
    if (state === "focused") break;
    if (stops === MOST_STOPS) throw new Error(`the keyboard doesn't reach ${element}`);
    if (state !== "elsewhere") watched = await element.elementHandle();
    else {
      const parts = ["rawKeyDown", "keyUp"] as const;
      await Promise.all(parts.map((type) => session.send("Input.dispatchKeyEvent", { type, ...KEYS[key] })));
      stops += 1;
    }
  }
  await session.detach();
}

interface DocumentElement {
  isConnected: boolean;
  ownerDocument: { activeElement: unknown };
}

/** After the timers by which dialogs correct the focus after a date field: people don't type faster. */
const READ_FOCUS = (element: DocumentElement): Promise<"replaced" | "focused" | "elsewhere"> =>
  new Promise((done) =>
    setTimeout(() => {
      if (!element.isConnected) done("replaced");
      else done(element.ownerDocument.activeElement === element ? "focused" : "elsewhere");
    }, 5),
  );

/** Goes to an element by Tab, forwards or backwards, unless it has the focus. */
export async function reach(page: Page, element: Locator): Promise<void> {
  const isBehind = await element.evaluate(
    (wanted: { compareDocumentPosition(other: unknown): number }, focused) =>
      (wanted.compareDocumentPosition(focused) & 4) !== 0,
    await page.evaluateHandle("document.activeElement"),
  );
  await pressUntil(page, isBehind ? "Shift+Tab" : "Tab", element);
}
