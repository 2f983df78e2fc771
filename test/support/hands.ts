/** The two ways through the console: by mouse, and by keyboard alone. */
import { readFile } from "node:fs/promises";
import type { FileChooser, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { reach } from "./keyboard.ts";

export interface Hand {
  /** A link, a button, a box or another element that is pressed. @param withShift as for the end of a range */
  press(element: Locator, withShift?: boolean): Promise<void>;
  /** Replaces the text of a field. */
  type(field: Locator, text: string): Promise<void>;
  /** An option of a list, by its label. */
  choose(field: Locator, label: string): Promise<void>;
}

export const HANDS = ["mouse", "keyboard"] as const;
export type HandKind = (typeof HANDS)[number];

export function createHand(kind: HandKind, page: Page): Hand {
  if (kind === "mouse")
    return {
      press: (element, withShift = false) => element.click(withShift ? { modifiers: ["Shift"] } : {}),
      type: (field, text) => field.fill(text),
      async choose(field, label) {
        await field.selectOption({ label });
      },
    };
  const { keyboard } = page;
  return {
    async press(element, withShift = false) {
      await reach(page, element);
      const key = (await element.getAttribute("type")) === "checkbox" ? "Space" : "Enter";
      await keyboard.press(withShift ? `Shift+${key}` : key);
    },
    async type(field, text) {
      await reach(page, field);
      await keyboard.press("Control+a");
      await keyboard.type(text);
    },
    async choose(field, label) {
      await reach(page, field);
      // A closed list takes the option that begins with what is typed, and forgets that after a pause of a second.
      await expect
        .poll(
          async () => {
            await keyboard.type(label);
            return field.locator("option:checked").innerText();
          },
          { interval: 1200 },
        )
        .toBe(label);
    },
  };
}

/** The text of the file that an element gives when it is pressed. */
export async function downloadBy(hand: Hand, page: Page, element: Locator): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent("download"), hand.press(element)]);
  return readFile(await file.path(), "utf8");
}

/** What a button opens to choose files. */
export async function openChooser(hand: Hand, page: Page, element: Locator): Promise<FileChooser> {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), hand.press(element)]);
  return chooser;
}
