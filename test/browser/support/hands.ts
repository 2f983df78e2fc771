/** The two ways through the console: by mouse, and by keyboard alone. */
import { expect, type FileChooser, type Locator, type Page } from "@playwright/test";
import { pressUntil, reach } from "../../support/keyboard.ts";

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

export const createHand = (kind: HandKind, page: Page): Hand =>
  kind === "mouse" ? MOUSE : createKeyboardHand(page);

const MOUSE: Hand = {
  press: (element, withShift = false) => element.click(withShift ? { modifiers: ["Shift"] } : {}),
  type: (field, text) => field.fill(text),
  async choose(field, label) {
    await field.selectOption({ label });
  },
};

export const createKeyboardHand = (page: Page): Hand => ({
  async press(element, withShift = false) {
    // A menu has the focus, and arrows lead through it.
    const isEntry = (await element.getAttribute("role")) === "menuitem";
    await (isEntry ? pressUntil(page, "ArrowDown", element) : reach(page, element));
    const key = (await element.getAttribute("type")) === "checkbox" ? "Space" : "Enter";
    await page.keyboard.press(withShift ? `Shift+${key}` : key);
  },
  async type(field, text) {
    await reach(page, field);
    await page.keyboard.press("Control+a");
    await page.keyboard.type(text);
  },
  async choose(field, label) {
    await reach(page, field);
    const typeLabel = async () => {
      await page.keyboard.type(label);
      return field.locator("option:checked").innerText();
    };
    // A closed list takes the option that begins with what is typed, and forgets that after a pause of a second.
    await expect.poll(typeLabel, { intervals: [1200] }).toBe(label);
  },
});

/** What a button opens to choose files. */
export async function openChooser(hand: Hand, page: Page, element: Locator): Promise<FileChooser> {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), hand.press(element)]);
  return chooser;
}
