/** The language of books that the public page chooses for a browser, and the page while its script is missing. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../tools/lib/server-process.ts";
import { ALL_VARIANTS } from "./support/all-variants.ts";
import { startApp } from "./support/app.ts";
import { CHROMIUM, findAccessibilityErrors, launchChromium } from "./support/chromium.ts";
import { openPage } from "./support/open-page.ts";
import { TEXTS } from "./support/page-texts.ts";
import { serveSite } from "./support/public-site.ts";

const CODES = ["ar", "en", "zh-Hans", "zh-Hant", "pt-PT", "es-419", "sr-Latn", "nb", "id"];

describe.skipIf(CHROMIUM === undefined)("the public page (needs /usr/bin/chromium or CHROMIUM_PATH)", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  /** A site with a book in each language. @returns its address */
  async function start(codes: readonly string[] = CODES): Promise<string> {
    const port = await freePort(0);
    const app = await startApp({ CORS_ORIGINS: `http://127.0.0.1:${port}` });
    for (const code of codes) {
      await app.make.language(code);
      await app.make.published(`Book in ${code}`, code);
    }
    const address = app.server.address();
    const service = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    const site = await serveSite({ port, service });
    onTestFinished(() => site.close());
    return site.url;
  }

  it("shows books in the language that the browser means, and none in another one", async () => {
    const url = await start();
    const chosenBy = async (locale: string, query = "") => {
      const page = await openPage(browser, `${url}/${query}`, { locale });
      await page.locator("#languages").waitFor();
      await page
        .getByRole("status")
        .filter({ hasNotText: TEXTS.en?.site?.loading ?? "" })
        .waitFor();
      return page.locator("#languages").inputValue();
    };
    const wanted = {
      "zh-TW": "zh-Hant",
      "zh-CN": "zh-Hans",
      "pt-BR": "pt-PT",
      "es-MX": "es-419",
      "sr-Latn-RS": "sr-Latn",
      "en-AU": "en",
      ja: "",
    };
    for (const [locale, code] of Object.entries(wanted)) expect(await chosenBy(locale), locale).toBe(code);
    expect(await chosenBy("en-US", "?language=no")).toBe("nb");
    expect(await chosenBy("en-US", "?language=in")).toBe("id");
    const page = await openPage(browser, url, { locale: "ja" });
    await page.locator("#languages").waitFor();
    expect(await page.getByRole("listitem").count()).toBe(0);
    await page.locator("#languages").selectOption("nb");
    await page.getByRole("heading", { name: "Book in nb" }).waitFor();
  });

  it("fits into 320 pixels without accessibility errors in each language of its texts", async () => {
    const codes = Object.keys(TEXTS);
    const url = await start(codes);
    for (const [place, code] of codes.entries()) {
      const viewport = { width: 320, height: 640 };
      const page = await openPage(browser, `${url}/?language=${code}`, { viewport });
      const check = async (moment: number) => {
        if (!ALL_VARIANTS && place % 3 !== moment) return;
        expect([code, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([code, 320]);
        expect([code, await findAccessibilityErrors(page)]).toEqual([code, []]);
      };
      await page.getByLabel(TEXTS[code]?.library?.findBook ?? "").waitFor();
      await page.locator("[part~=format]").first().click();
      await page.locator("form button").first().click();
      await page.locator("[part=error]:not(:empty)").first().waitFor();
      await check(0);
      await page.locator("#firstName").fill("Sara");
      await page.locator("#email").fill(`${"long".repeat(15)}@gmial.com`);
      await Promise.all([page.waitForEvent("download"), page.locator("form button").first().click()]);
      await check(1);
      expect((await page.getByRole("dialog").boundingBox())?.width).toBeLessThanOrEqual(320);
      await page.keyboard.press("Escape");
      await check(2);
      await page.context().close();
    }
  });

  it.each(["api/widget.js", "api/languages"])("shows a way on without %s", async (file) => {
    const url = await start();
    const context = await browser.newContext({ locale: "en-US" });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.route(`**/${file}`, (route) => route.abort());
    await page.goto(url);
    const link = page.getByRole("link", { name: "The books are on these pages." });
    await link.waitFor();
    await link.click();
    await page.locator("main a[hreflang=en]").waitFor();
    expect(new URL(page.url()).pathname).toBe("/library");
    await page.unroute(`**/${file}`);
    await page.goto(url);
    await page.getByRole("heading", { level: 2, name: "Book in en" }).waitFor();
    expect(await link.isVisible()).toBe(false);
  });
});
