/** What is typed while the service still works on a save, or while the page still reads what was saved. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../support/chromium.ts";
import { openConsole, startConsole, useBrowser } from "../support/console-scene.ts";

const CONFLICT = "Someone else saved this while you typed";
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/**
 * Holds the requests of a method back until they are released.
 * @returns a function that waits until one is held, and one that releases all
 */
async function holdRequests(page: Page, method: string, path: RegExp) {
  const isHeld = Promise.withResolvers<void>();
  const isReleased = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    isHeld.resolve();
    await isReleased.promise;
    await route.fallback();
  });
  return { untilHeld: () => isHeld.promise, release: isReleased.resolve };
}

describe.skipIf(CHROMIUM === undefined)("on a slow line (needs /usr/bin/chromium)", () => {
  const browser = useBrowser();

  async function openBook() {
    const scene = await startConsole();
    const admin = await scene.admin();
    const path = `/api/admin/books/${scene.well.id}`;
    const page = await openConsole(browser, scene, `books/${scene.well.id}`);
    await field(page, "Title").waitFor();
    return { ...scene, admin, page, path, read: async () => (await admin.get(path)).body };
  }

  it("a form shows what it saved before the page has read it, and saves again without a conflict", async () => {
    const { page, path, read } = await openBook();
    const reads = await holdRequests(page, "GET", new RegExp(`${path}$`));
    await field(page, "Title").fill("The Deeper Well");
    await button(page, "Save").click();
    await reads.untilHeld();
    await page.getByText("Saved", { exact: true }).waitFor();
    await expect.poll(() => button(page, "Save").isDisabled()).toBe(true);
    await expect.poll(() => field(page, "Title").inputValue()).toBe("The Deeper Well");
    await field(page, "Description").fill("About a well");
    await button(page, "Save").click();
    await expect.poll(async () => (await read()).book.description).toBe("About a well");
    reads.release();
    await page.getByRole("heading", { level: 1, name: "The Deeper Well" }).waitFor();
    await expect.poll(() => field(page, "Title").inputValue()).toBe("The Deeper Well");
    await expect.poll(() => page.getByText(CONFLICT).count()).toBe(0);
  });

  it("a form shows what someone else saves after it", async () => {
    const { page, path, admin } = await openBook();
    const reads = await holdRequests(page, "GET", new RegExp(`${path}$`));
    await field(page, "Title").fill("The Deeper Well");
    await button(page, "Save").click();
    await reads.untilHeld();
    await page.getByText("Saved", { exact: true }).waitFor();
    await admin.patch(path, { titleEn: "Theirs" });
    reads.release();
    await expect.poll(() => field(page, "Title").inputValue()).toBe("Theirs");
  });
});
