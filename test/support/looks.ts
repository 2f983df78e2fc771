/** The looks in which each page of the console is checked. */
import type { BrowserContextOptions, Page } from "playwright-core";
import { findAccessibilityErrors } from "./chromium.ts";

interface Look {
  width: number;
  colorScheme: "light" | "dark";
}

interface Looks {
  locale: string;
  /** The first is that in which the first page opens. */
  looks: readonly [Look, ...Look[]];
}

export const LOOKS: readonly Looks[] = [
  {
    locale: "en-US",
    looks: [
      { width: 1440, colorScheme: "light" },
      { width: 360, colorScheme: "dark" },
    ],
  },
  // What opens in one width in English opens in the other one here.
  {
    locale: "ar",
    looks: [
      { width: 360, colorScheme: "light" },
      { width: 1440, colorScheme: "dark" },
    ],
  },
];

const sizeOf = ({ width }: Look) => ({ width, height: 800 });

export const choosing = ({ locale, looks: [first] }: Looks): BrowserContextOptions => ({
  locale,
  colorScheme: first.colorScheme,
  viewport: sizeOf(first),
});

/** What slides to its place in the other width is there. */
const ARRIVED = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() =>
  Promise.allSettled(
    document.getAnimations().filter((each) => each instanceof CSSTransition).map(({ finished }) => finished)))
  .then(() => undefined)`;

/** Looks at a page that is open in each look, and stays in the last one, with which the next page begins. */
export class Mirror {
  readonly #page: Page;
  #looks: readonly Look[];

  /** @param page is in the first of the looks */
  constructor(page: Page, { looks }: Looks) {
    this.#page = page;
    this.#looks = looks;
  }

  /** @param look is called in each. Its argument says in which one */
  async show(look: (name: string) => Promise<void>): Promise<void> {
    for (const [index, each] of this.#looks.entries()) {
      const { width, colorScheme } = each;
      if (index > 0) {
        await this.#page.setViewportSize(sizeOf(each));
        await this.#page.emulateMedia({ colorScheme });
        await this.#page.evaluate(ARRIVED);
      }
      await look(`${width} wide, ${colorScheme}`);
    }
    this.#looks = this.#looks.toReversed();
  }
}

const SIDEWAYS = "document.documentElement.scrollWidth > innerWidth";

/** What is wrong in any look: accessibility errors, and a page that is wider than its window. */
export async function findErrors(page: Page): Promise<string[]> {
  const errors = await findAccessibilityErrors(page);
  if ((await page.evaluate(SIDEWAYS)) === true) errors.push("scrolls sideways");
  return errors;
}
