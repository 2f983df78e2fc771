/** Debian's Chromium, for the tests that look at pages as a reader's browser does. */
import { existsSync } from "node:fs";
import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { z } from "zod";

/** Of Debian. The build without windows takes two thirds of the processor time. */
const PROGRAMS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** Undefined on a machine without Chromium: such tests are skipped. */
export const CHROMIUM = [process.env.CHROMIUM_PATH, ...PROGRAMS].find(
  (path) => path !== undefined && existsSync(path),
);

export async function launchChromium(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error("there is no Chromium");
  return chromium.launch({ executablePath: CHROMIUM });
}

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
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    // The browser itself notes responses with an error status; which of them are right, each test says.
    if (message.type() === "error" && !/^Failed to load resource/.test(message.text()))
      errors.push(message.text());
  });
  onTestFinished(async () => {
    await context.close();
    expect(errors).toEqual([]);
  });
  await page.goto(url);
  return page;
}

const axeResult = z.object({
  violations: z.array(
    z.object({ id: z.string(), nodes: z.array(z.object({ target: z.array(z.string()) })) }),
  ),
});

/** What axe-core finds, `rule: element`: the rules of WCAG 2.2 at A and AA, and best practices. */
export async function findAccessibilityErrors(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = axeResult.parse(await page.evaluate("axe.run()"));
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}
