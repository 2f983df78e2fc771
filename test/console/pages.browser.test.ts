/** Every page of the console in two languages, two widths and two colours. */
import { describe, expect, it } from "vitest";
import { startAdministration } from "../support/administration-scene.ts";
import { CHROMIUM, findAccessibilityErrors, openPage } from "../support/chromium.ts";
import { addReaders } from "../support/console-readers.ts";
import { openConsole, startConsole, useBrowser } from "../support/console-scene.ts";
import { choosing, LOOKS, SIDEWAYS } from "../support/looks.ts";

describe.skipIf(CHROMIUM === undefined)("the console (needs /usr/bin/chromium or CHROMIUM_PATH)", () => {
  const browser = useBrowser();

  describe.each(LOOKS)("in $locale, $width wide, $colorScheme", (look) => {
    it("shows the log-in at the address that was asked for, without accessibility errors", async () => {
      const { base } = await startConsole();
      const page = await openPage(browser, `${base}languages`, choosing(look));
      await page.locator("h1").waitFor();
      expect(page.url()).toBe(`${base}languages`);
      expect(await findAccessibilityErrors(page)).toEqual([]);
      expect(await page.evaluate(SIDEWAYS)).toBe(false);
      expect(await page.evaluate("document.documentElement.dir")).toBe(look.locale === "ar" ? "rtl" : "ltr");
    });

    it.each([
      "books",
      "book",
      "unseen",
      "any",
      "languages",
      "channels",
      "publications",
      "import",
      "account",
    ] as const)("shows the page %s without accessibility errors and sideways scrolling", async (name) => {
      const scene = await startConsole();
      const paths: Partial<Record<typeof name, string>> = {
        books: "books?missing=file",
        book: `books/${scene.well.id}`,
        unseen: `books/${scene.well.id}?readers=ar`,
        any: `books/${scene.any.id}`,
      };
      const page = await openConsole(browser, scene, paths[name] ?? name, choosing(look));
      await page.waitForLoadState("networkidle");
      expect(await page.locator("h1").count()).toBe(1);
      expect(await findAccessibilityErrors(page)).toEqual([]);
      expect(await page.evaluate(SIDEWAYS)).toBe(false);
    });

    it.each(["", "contacts", "contact", "downloads", "downloads?includeBots=true"])(
      "shows the page %s of people without accessibility errors and sideways scrolling",
      async (name) => {
        const scene = await startConsole();
        const { omar } = await addReaders(scene);
        const path = name === "contact" ? `contacts/${omar}` : name;
        const page = await openConsole(browser, scene, path, choosing(look));
        await page.locator("#content table").last().waitFor();
        expect(await page.locator("h1").count()).toBe(1);
        expect(await findAccessibilityErrors(page)).toEqual([]);
        expect(await page.evaluate(SIDEWAYS)).toBe(false);
      },
    );

    it.each(["api-keys", "users", "audit", "settings", "doctor"])(
      "shows the page %s of administrators without accessibility errors and sideways scrolling",
      async (name) => {
        const page = await openConsole(browser, await startAdministration(), name, choosing(look));
        await page.locator("#content table").first().waitFor();
        expect(await page.locator("h1").count()).toBe(1);
        expect(await findAccessibilityErrors(page)).toEqual([]);
        expect(await page.evaluate(SIDEWAYS)).toBe(false);
      },
    );

    it("shows an unknown address as not found", async () => {
      const { base } = await startConsole();
      const page = await openPage(browser, `${base}nothing`, choosing(look));
      await page.locator("h1").waitFor();
      expect(await findAccessibilityErrors(page)).toEqual([]);
    });
  });
});
