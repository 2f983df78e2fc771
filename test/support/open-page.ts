/** Pages of a browser, for one test of vitest. */
import { relative } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { PROJECT } from "./modules.ts";
import { recordPages } from "./record-pages.ts";

const testFile = (): string => relative(PROJECT, expect.getState().testPath ?? "none");

/** What opens pages. */
export type Opener = Pick<Browser, "newContext">;

/**
 * A page in a context of its own; the test fails if its script or its policy reports an error. Nothing moves: what fades in
 * has other colours meanwhile.
 */
export async function openPage(
  browser: Opener,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ locale: "en-US", reducedMotion: "reduce", ...options });
  const record = process.env.COVERAGE_FOLDER ? recordPages(context, testFile()) : undefined;
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    // The browser itself notes responses with an error status; which of them are right, each test says.
    if (message.type() === "error" && !/^Failed to load resource/.test(message.text()))
      errors.push(message.text());
  });
  onTestFinished(async () => {
    await record?.();
    await context.close();
    expect(errors).toEqual([]);
  });
  await page.goto(url);
  return page;
}
