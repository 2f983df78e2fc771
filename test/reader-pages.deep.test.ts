/** The page for an expired link in a browser: reading it, and renewing the link by its button. */
import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addressOf } from "../tools/lib/listening.ts";
import { startApp } from "./support/app.ts";
import { CHROMIUM, findAccessibilityErrors, launchChromium } from "./support/chromium.ts";
import { CLOUD_URL } from "./support/factory.ts";
import { openPage } from "./support/open-page.ts";
import { AGENTS, linkTo, listEvents } from "./support/reader.ts";

const MINUTE = 60_000;

/** A book in Arabic, and the address of a link to it that has expired. */
async function scene() {
  const app = await startApp({ PUBLIC_SITE_URL: "https://books.example.org/" });
  const { book } = await app.make.published("The Well", "ar");
  const expiredLink = async (fileType: string) => {
    const link = await linkTo(app.api, { slug: "the-well", languageCode: "ar", fileType });
    app.clock.advance(10 * MINUTE);
    return addressOf(app.server) + link;
  };
  return { app, book, expiredLink };
}

describe.runIf(CHROMIUM !== undefined)("the page for an expired link", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  it("is in the book's language and direction, fits on a small screen, and is accessible", async () => {
    const { expiredLink } = await scene();
    const viewport = { width: 320, height: 640 };
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await openPage(browser, await expiredLink("txt"), { viewport, colorScheme });
      expect(await page.locator("html").getAttribute("dir")).toBe("rtl");
      expect(await page.getByRole("heading").allTextContents()).toEqual(["انتهت صلاحية هذا الرابط"]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
      expect(await findAccessibilityErrors(page)).toEqual([]);
    }
  });

  it("downloads the book by its button, with the keyboard only", async () => {
    const { app, expiredLink } = await scene();
    // Headless Chromium says that it is a bot.
    const page = await openPage(browser, await expiredLink("txt"), { userAgent: AGENTS.chrome });
    await page.keyboard.press("Tab");
    const downloading = page.waitForEvent("download");
    await page.keyboard.press("Enter");
    const download = await downloading;
    expect(download.suggestedFilename()).toBe("The Well [ar].txt");
    expect(readFileSync(await download.path(), "utf8")).toBe("Text of The Well");
    expect((await listEvents(app)).map(({ redeemedAt }) => redeemedAt !== null)).toEqual([false, true]);
  });

  it("shows after a click that the download begins, and nothing before", async () => {
    const { expiredLink } = await scene();
    const page = await openPage(browser, await expiredLink("txt"), { userAgent: AGENTS.chrome });
    const status = page.getByText("سيبدأ التنزيل بعد لحظات.");
    expect(await status.isVisible()).toBe(false);
    const downloading = page.waitForEvent("download");
    await page.getByRole("button").click();
    await downloading;
    expect(await status.isVisible()).toBe(true);
  });

  it("redirects to a cloud host, which the page's policy permits", async () => {
    const { app, book, expiredLink } = await scene();
    await app.make.link(book.id, "ar");
    const page = await openPage(browser, await expiredLink("pdf"));
    // There is no such host: what matters is that the browser looks for it.
    const failing = page.waitForEvent("requestfailed", (request) => request.url() === CLOUD_URL);
    await page.getByRole("button").click();
    const failure = (await failing).failure()?.errorText ?? "";
    expect(failure).not.toMatch(/BLOCKED|CSP/);
    expect(failure).toMatch(/^net::ERR_/);
  });
});
