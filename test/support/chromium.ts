/** Debian's Chromium, for the tests that look at pages as a reader's browser does. */
import { existsSync } from "node:fs";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { z } from "zod";

/** Of Debian. The build without windows takes two thirds of the processor time. */
const PROGRAMS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** Undefined on a machine without Chromium: such tests are skipped. */
export const CHROMIUM = [process.env.CHROMIUM_PATH, ...PROGRAMS].find(
  (path) => path !== undefined && existsSync(path),
);

/** Without a graphics card, what it would draw is computed twice: once as such a card, and once as a picture. */
const WITHOUT_CARD = ["--disable-gpu", "--disable-gpu-compositing"];

export const LAUNCH_OPTIONS = {
  ...(CHROMIUM !== undefined && { executablePath: CHROMIUM }),
  args: WITHOUT_CARD,
};

/** Why such tests are skipped. */
export const NEEDS_CHROMIUM = `They need ${PROGRAMS.join(" or ")}, or CHROMIUM_PATH.`;

export async function launchChromium(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error("there is no Chromium");
  return chromium.launch(LAUNCH_OPTIONS);
}

/** Of an element inside another one's shadow, a list. */
const target = z.array(z.union([z.string(), z.array(z.string())]));
const axeResult = z.object({
  violations: z.array(z.object({ id: z.string(), nodes: z.array(z.object({ target })) })),
});

/**
 * Nothing reads what it says about the nodes that pass. Style sheets and media aren't read beforehand, which takes a fifth of
 * the time: of the rules that run, only one about sound that plays by itself looks at them.
 */
const RUN = 'axe.run({ resultTypes: ["violations"], preload: false })';

/** What axe-core finds, `rule: element`: the rules of WCAG 2.2 at A and AA, and best practices. */
export async function findAccessibilityErrors(page: Page): Promise<string[]> {
  // Half a megabyte: once into each document.
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(axe.source);
  const { violations } = axeResult.parse(await page.evaluate(RUN));
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${target.flat().join(" ")}`),
  );
}
