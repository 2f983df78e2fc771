/** What the console keeps in the memory of the browser. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../support/chromium.ts";
import { openConsole, startConsole, useBrowser } from "../support/console-scene.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function saveFilter(page: Page, name: string) {
  await button(page, "Saved filters").click();
  await page.getByRole("menuitem", { name: "Save these filters…" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await button(page, "Save").click();
}

describe.skipIf(CHROMIUM === undefined)("the memory of the browser (needs /usr/bin/chromium)", () => {
  const browser = useBrowser();

  it("gives a filter that is saved in one tab to the other", async () => {
    const scene = await startConsole();
    const first = await openConsole(browser, scene, "books?search=well");
    const second = await first.context().newPage();
    await second.goto(`${scene.base}books`);
    await second.getByRole("link", { name: "The Deep Well" }).waitFor();
    await saveFilter(first, "Wells");
    await button(second, "Saved filters").click();
    await second.getByRole("menuitemradio", { name: "Wells", exact: true }).waitFor();
  });

  it("isn't needed where the browser keeps nothing", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "books");
    await page.addInitScript(() => {
      Object.defineProperty(globalThis, "localStorage", {
        get() {
          throw new DOMException("denied", "SecurityError");
        },
      });
    });
    await page.goto(`${scene.base}contacts?range=last7Days`);
    const zone = page.getByRole("combobox", { name: "Time zone" });
    await zone.selectOption("Africa/Nairobi");
    await page.waitForURL(/timezone=Africa/);
    await page.goto(`${scene.base}account`);
    await page.getByRole("combobox", { name: "Language" }).selectOption("ar");
    await page.locator("html[lang=ar]").waitFor({ state: "attached" });
    await expect.poll(() => page.locator("#content h1").isVisible()).toBe(true);
  });
});
