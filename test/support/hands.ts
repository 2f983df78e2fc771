/** The two ways through the console: by mouse, and by keyboard alone. */
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { pressUntil } from "./keyboard.ts";

export interface Hand {
  /** A link, a button or another element that is pressed. */
  press(element: Locator): Promise<void>;
  /** Replaces the text of a field. */
  type(field: Locator, text: string): Promise<void>;
  /** An option of a list, by its label. */
  choose(field: Locator, label: string): Promise<void>;
}

export const HANDS = ["mouse", "keyboard"] as const;

export function createHand(kind: (typeof HANDS)[number], page: Page): Hand {
  if (kind === "mouse")
    return {
      press: (element) => element.click(),
      type: (field, text) => field.fill(text),
      async choose(field, label) {
        await field.selectOption({ label });
      },
    };
  const { keyboard } = page;
  const reach = (element: Locator) => pressUntil(page, "Tab", element);
  return {
    async press(element) {
      await reach(element);
      await keyboard.press("Enter");
    },
    async type(field, text) {
      await reach(field);
      await keyboard.press("Control+a");
      await keyboard.type(text);
    },
    async choose(field, label) {
      await reach(field);
      // A closed list takes the option that begins with what is typed.
      await keyboard.type(label);
      await expect.poll(() => field.locator("option:checked").innerText()).toBe(label);
    },
  };
}

/** The text of the file that an element gives when it is pressed. */
export async function downloadBy(hand: Hand, page: Page, element: Locator): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent("download"), hand.press(element)]);
  return readFile(await file.path(), "utf8");
}
