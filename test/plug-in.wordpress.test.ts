/** examples/wordpress/book-library.php in a real WordPress: what a page with its shortcode shows, and other pages don't. */
import { existsSync, readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addressOf } from "../tools/lib/listening.ts";
import { launchChromium } from "./support/chromium.ts";
import { openPage } from "./support/open-page.ts";
import { createFolder } from "./support/proxies.ts";
import { openService, type TestApp } from "./support/service.ts";
import { findMissing, THEMES, WordPress } from "./support/wordpress.ts";

/** Values that would end, or be scripts, if they weren't escaped: as a contributor may write them. WordPress itself drops a `<`. */
const HOSTILE = `[book_library language='sw" onclick="alert(1)' channel="&quot;&gt;&lt;img src=x onerror=alert(1)&gt;" limit="&quot; onclick=&quot;alert(1)" privacy_url="javascript:alert(1)"]<script>alert(1)</script>Books[/book_library]`;

const PAGES = {
  swahili: `<!-- wp:shortcode -->\n[book_library language="sw" text_version="1" privacy_url="/privacy"]\n<!-- /wp:shortcode -->`,
  typed: 'Our books:\n\n[book_library languages="none"]All <b>our</b> books[/book_library]\n\nAnd more.',
  hostile: HOSTILE,
  plain: "Nothing but text.",
};

const missing = findMissing();
if (missing.length > 0) process.stderr.write(`Skipped without ${missing.join(", ")}\n`);

describe.skipIf(missing.length > 0)("the plug-in in WordPress", () => {
  const ends = new AsyncDisposableStack();
  let browser: Browser;
  let app: TestApp;
  let site: WordPress;
  let service: string;
  let addresses: Record<string, string>;

  beforeAll(async () => {
    const atEnd = (work: () => void | Promise<void>) => ends.defer(work);
    site = await WordPress.start(atEnd);
    const dataDir = `${createFolder(atEnd)}/data`;
    const opened = await openService({ dataDir, variables: { CORS_ORIGINS: site.origin } });
    atEnd(opened.end);
    ({ app } = opened);
    service = addressOf(app.server);
    const ownNames = { name: undefined, nativeName: undefined };
    for (const code of ["en", "sw"]) await app.make.language(code, ownNames);
    const book = await app.make.book("The Deep Well", {
      translations: [{ languageCode: "sw", title: "Kisima kirefu" }],
    });
    for (const code of ["en", "sw"]) await app.make.textFile(book.id, code, `Text in ${code}`);
    site.configure(`${service}/`);
    addresses = await site.install(PAGES, "correct horse battery");
    browser = await launchChromium();
    atEnd(() => browser.close());
  });
  afterAll(() => ends.disposeAsync());

  const open = (name: keyof typeof PAGES) => openPage(browser, addresses[name] ?? "");

  describe.each(THEMES)("with the theme %s", (theme) => {
    beforeAll(() => site.useTheme(theme));

    it("lists the books of a language, and delivers one after the form", async () => {
      const page = await open("swahili");
      const element = page.locator("book-library");
      await element.getByRole("heading", { name: "Kisima kirefu" }).waitFor();
      expect(await element.locator("[part=library]").getAttribute("lang")).toBe("sw");
      await element.getByRole("button", { name: /^TXT/ }).click();
      await element.locator("#firstName").fill("Sara");
      await element.locator("#email").fill("sara@example.org");
      expect(await element.locator("form a").getAttribute("href")).toBe(new URL("/privacy", page.url()).href);
      const saving = page.waitForEvent("download");
      await element.locator("form button").first().click();
      expect(readFileSync(await (await saving).path(), "utf8")).toBe("Text in sw");
    });

    it("shows the books beside other text, in the language of the site", async () => {
      const page = await open("typed");
      await page.getByRole("heading", { name: "The Deep Well" }).waitFor();
      await page.getByText("And more.").waitFor();
      expect(await page.getByRole("combobox").count()).toBe(0);
      expect(await page.locator("book-library > a").textContent()).toBe("All our books");
      expect(await page.locator("script[src*='widget.js']").count()).toBe(1);
    });

    it("loads nothing on other pages", async () => {
      for (const path of ["", "?p=1", "?feed=rss2", "wp-login.php"]) {
        const response = await fetch(`${site.origin}/${path}`);
        expect(response.status, path).toBe(200);
        const html = await response.text();
        expect(html, path).not.toContain("widget.js");
        expect(html, path).not.toContain(service);
      }
      const plain = await (await fetch(addresses.plain ?? "")).text();
      expect(plain).toContain("Nothing but text.");
      expect(plain).not.toContain("widget.js");
    });

    it("shows hostile attributes and texts as they are", async () => {
      const page = await open("hostile");
      const element = page.locator("book-library");
      await element.getByRole("status").waitFor();
      const names = "document.querySelector('book-library').getAttributeNames()";
      expect(await page.evaluate(names)).toEqual(["service", "language", "channel", "limit"]);
      expect(await element.getAttribute("language")).toBe('sw" onclick="alert(1)');
      expect(await element.getAttribute("channel")).toBe('"><img src=x onerror=alert(1)>');
      expect(await page.locator("book-library img, [onerror], [onclick]").count()).toBe(0);
      const inside = "document.querySelector('book-library').innerHTML";
      expect(await page.evaluate(inside)).toBe(`<a href="${service}">Books</a>`);
    });
  });

  it("shows readers nothing while the address of the service is missing", async () => {
    for (const given of [undefined, "javascript:alert(1)"]) {
      site.configure(given);
      const html = await (await fetch(addresses.swahili ?? "")).text();
      expect(html).toContain("Page swahili");
      expect(html).not.toMatch(/book.library/i);
    }
    site.configure(service);
  });

  it("has made PHP complain about nothing", () => {
    const lines = existsSync(site.log) ? readFileSync(site.log, "utf8").split("\n") : [];
    expect(lines.filter((line) => line.includes("book-library"))).toEqual([]);
  });
});
