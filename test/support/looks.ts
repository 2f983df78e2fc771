/** The looks in which each page of the console is checked: languages, widths and colours. */
import type { BrowserContextOptions, Page } from "playwright-core";
import { ALL_VARIANTS } from "./all-variants.ts";
import { findAccessibilityErrors } from "./chromium.ts";

export interface Look {
  locale: string;
  width: number;
  colorScheme: "light" | "dark";
}

const listAll = (): Look[] =>
  ["en-US", "fr", "es", "pt", "ar"].flatMap((locale) =>
    [1440, 360].flatMap((width) =>
      (["light", "dark"] as const).map((colorScheme) => ({ locale, width, colorScheme })),
    ),
  );

/** Opposite ones, three places apart, have the other width, the other colours and another language. */
const SELECTION: readonly Look[] = [
  { locale: "en-US", width: 1440, colorScheme: "light" },
  { locale: "fr", width: 360, colorScheme: "dark" },
  { locale: "ar", width: 1440, colorScheme: "dark" },
  { locale: "ar", width: 360, colorScheme: "dark" },
  { locale: "es", width: 1440, colorScheme: "light" },
  { locale: "pt", width: 360, colorScheme: "light" },
];

export const LOOKS: readonly Look[] = ALL_VARIANTS ? listAll() : SELECTION;

/**
 * What of a list is seen in one of the looks: with all variants everything, otherwise each in its turn.
 * @param times in how many looks each thing is seen then: in opposite ones
 */
export function seenIn<T>(look: Look, things: readonly T[], times: 1 | 2 = 1): T[] {
  const place = SELECTION.indexOf(look);
  const every = SELECTION.length / times;
  return things.filter((_, index) => ALL_VARIANTS || index % every === place % every);
}

export const nameOf = ({ locale, width, colorScheme }: Look): string =>
  `${locale}, ${width} wide, ${colorScheme}`;

export const choosing = ({ locale, width, colorScheme }: Look): BrowserContextOptions => ({
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
