/** Files that a page gives. */
import { readFile } from "node:fs/promises";
import type { Download, Locator, Page } from "@playwright/test";
import type { Hand } from "./hands.ts";

/** What a link or a button gives when it is pressed. */
export async function takeFile(hand: Pick<Hand, "press">, page: Page, element: Locator): Promise<Download> {
  const [file] = await Promise.all([page.waitForEvent("download"), hand.press(element)]);
  return file;
}

/** The text of that file. */
export async function takeText(...given: Parameters<typeof takeFile>): Promise<string> {
  const file = await takeFile(...given);
  return readFile(await file.path(), "utf8");
}
