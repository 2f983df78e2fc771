/** From page to page of the console as its links go: without loading it anew, which costs more than most pages do. */
import type { Page } from "@playwright/test";
import { settled } from "./settled.ts";

/**
 * Goes to a page and waits until it has read everything. What is open over the page before is closed by that.
 * @param page shows a page of the console, without anything typed: a form would ask before it is left
 * @param address of the page, with that of the console
 */
export async function go(page: Page, address: string): Promise<void> {
  if (new URL(address).pathname !== new URL(page.url()).pathname) {
    // Texts of another language than English come after the document is loaded.
    await page.locator("h1").first().waitFor();
    await page.evaluate(MARK);
  }
  const to = JSON.stringify(address);
  await page.evaluate(`history.pushState(null, "", ${to}); dispatchEvent(new PopStateEvent("popstate"))`);
  // The page before stays until the code of the next one is read.
  await page.locator("h1:not([data-left])").waitFor();
  await settled(page);
}

const MARK = "document.querySelector('h1').dataset.left = ''";
