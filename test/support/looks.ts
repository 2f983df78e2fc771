/** The looks in which each page of the console is checked. */
import type { BrowserContextOptions, Page } from "playwright-core";
import { findAccessibilityErrors } from "./chromium.ts";

export const LOOKS = [
  { locale: "en-US", width: 1440, colorScheme: "light" },
  { locale: "en-US", width: 360, colorScheme: "dark" },
  { locale: "ar", width: 1440, colorScheme: "dark" },
  { locale: "ar", width: 360, colorScheme: "light" },
] as const;

export const choosing = ({ locale, width, colorScheme }: (typeof LOOKS)[number]): BrowserContextOptions => ({
  locale,
  colorScheme,
  viewport: { width, height: 800 },
});

const SIDEWAYS = "document.documentElement.scrollWidth > innerWidth";

/** What is wrong in any look: accessibility errors, and a page that is wider than its window. */
export async function findErrors(page: Page): Promise<string[]> {
  const errors = await findAccessibilityErrors(page);
  if ((await page.evaluate(SIDEWAYS)) === true) errors.push("scrolls sideways");
  return errors;
}
