/** The looks in which each page of the console is checked. */
import type { BrowserContextOptions } from "playwright-core";

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

/** Whether a page is wider than its window. */
export const SIDEWAYS = "document.documentElement.scrollWidth > innerWidth";
