/** Every page of the console in two languages, two widths and two colours. */
import { describe, expect, it } from "vitest";
import { startAdministration } from "../support/administration-scene.ts";
import { CHROMIUM, openPage } from "../support/chromium.ts";
import { addReaders } from "../support/console-readers.ts";
import { logIn, useBrowser } from "../support/console-scene.ts";
import { choosing, findErrors, LOOKS } from "../support/looks.ts";

describe.skipIf(CHROMIUM === undefined)("the console (needs /usr/bin/chromium or CHROMIUM_PATH)", () => {
  const browser = useBrowser();

  it.each(LOOKS)(
    "shows each page without accessibility errors and sideways scrolling in $locale, $width wide, $colorScheme",
    async (look) => {
      const scene = await startAdministration();
      const { base, well, any } = scene;
      const { omar } = await addReaders(scene);
      const page = await openPage(browser, `${base}languages`, choosing(look));
      page.setDefaultTimeout(20_000);
      const found: Record<string, unknown> = {};
      const check = async (name: string) => {
        const errors = await findErrors(page);
        if ((await page.locator("h1").count()) !== 1) errors.push("has not one heading");
        if (errors.length > 0) found[name] = errors;
      };

      await page.locator("h1").waitFor();
      expect(page.url()).toBe(`${base}languages`);
      await expect
        .poll(() => page.evaluate("document.documentElement.dir"))
        .toBe(look.locale === "ar" ? "rtl" : "ltr");
      await check("log-in");
      await logIn(page, scene.email);
      await page.locator("#content h1").waitFor();
      for (const path of [
        "",
        "books?missing=file",
        `books/${well.id}`,
        `books/${well.id}?readers=ar`,
        `books/${any.id}`,
        "languages",
        "channels",
        "publications",
        "import",
        "contacts",
        `contacts/${omar}`,
        "downloads",
        "downloads?includeBots=true",
        "api-keys",
        "users",
        "audit",
        "settings",
        "doctor",
        "account",
        "nothing",
      ]) {
        await page.goto(base + path);
        await page.locator("h1").waitFor();
        await page.waitForLoadState("networkidle");
        await check(path);
      }
      expect(found).toEqual({});
    },
    300_000,
  );
});
