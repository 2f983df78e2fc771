/** The menu of a language on the page of a book. */
import type { Locator, Page } from "playwright-core";

/** Opens the menu. @returns its entry */
export async function openRowMenu(page: Page, entry: string, language = "Spanish"): Promise<Locator> {
  await page.getByRole("button", { name: `Menu of ${language}`, exact: true }).click();
  return page.getByRole("menuitem", { name: entry, exact: true });
}
