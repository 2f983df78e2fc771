/** The public page of examples/public-site in a real browser, on the demo's catalogue. */
import { readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { type Loaded, loadCatalogue } from "../tools/demo/load.ts";
import { Report } from "../tools/demo/print.ts";
import { readZip } from "../tools/lib/read-zip.ts";
import { freePort, ServerProcess, UNLIMITED } from "../tools/lib/server-process.ts";
import { ServiceClient } from "../tools/lib/service-client.ts";
import { startApp } from "./support/app.ts";
import { link } from "./support/bulk.ts";
import { CHROMIUM, findAccessibilityErrors, launchChromium } from "./support/chromium.ts";
import { openPage } from "./support/open-page.ts";
import { TEXTS } from "./support/page-texts.ts";
import { type Site, serveSite } from "./support/public-site.ts";

const ADMIN = { email: "admin@example.org", password: "a long enough pass phrase" };
/** `text` of the page's two languages; values in sentences are isolated by invisible characters. */
const visible = (text: string | null): string => (text ?? "").replaceAll(/[\u2068\u2069]/g, "");

const status = (page: Page, text: string | RegExp) => page.getByRole("status").filter({ hasText: text });
/** The number of books below the heading. */
const count = (page: Page, text: string) =>
  status(page, new RegExp(`^\\W?${text.replace(" ", "\\W? ")}$`)).waitFor();
const title = (page: Page, text: string) => page.getByRole("heading", { level: 3, name: text });
const epubOf = (page: Page, book: string) =>
  page.getByRole("button", { name: new RegExp(`^EPUB .*: ${book}$`) });

const fill = async (page: Page, { firstName, email }: { firstName: string; email: string }) => {
  await page.locator("#firstName").fill(firstName);
  await page.locator("#email").fill(email);
};

/** What the browser saves when something is pressed. */
async function saved(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

const send = (page: Page) => page.locator("#form button[type=submit]").click();
const widthOf = async (page: Page) =>
  z.number().parse(await page.evaluate("document.documentElement.scrollWidth"));
const focused = async (page: Page) =>
  visible(
    z.string().parse(await page.evaluate("document.activeElement.innerText || document.activeElement.id")),
  );

describe.skipIf(CHROMIUM === undefined)("the public page (needs /usr/bin/chromium or CHROMIUM_PATH)", () => {
  let browser: Browser;
  let server: ServerProcess;
  let site: Site;
  let loaded: Loaded;
  let folder: string;
  let base: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "bds-test-"));
    const [port, sitePort] = [await freePort(0), await freePort(0)];
    site = await serveSite({ port: sitePort, service: `http://127.0.0.1:${port}` });
    server = new ServerProcess({
      DATA_DIR: join(folder, "data"),
      PORT: String(port),
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      CORS_ORIGINS: site.url,
      PUBLIC_SITE_URL: site.url,
      LIBRARY: "true",
      ...UNLIMITED,
    });
    ({ base } = await server.waitUntilReady());
    loaded = await loadCatalogue(new Report(() => {}, 80), new ServiceClient(base), ADMIN);
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    site?.close();
    await server?.end();
    rmSync(folder, { recursive: true });
  });

  const open = (query = "", options = {}) => openPage(browser, `${site.url}/${query}`, options);
  const uploaded = (slug: string, languageCode: string) =>
    loaded.files.filter((file) => file.slug === slug && file.languageCode === languageCode);

  describe("the lists", () => {
    it("contain the books of the browser's language, and of another one that is chosen", async () => {
      const page = await open("", { locale: "es-MX" });
      await title(page, "Un pozo para todos").waitFor();
      expect(await page.locator("#languages [aria-current=true]").textContent()).toContain("Español");
      await page.locator("#languages").getByRole("link", { name: "हिन्दी" }).click();
      await title(page, "सबका कुआँ").waitFor();
      expect(await page.locator("#book-list li").first().getAttribute("lang")).toBe("hi");
      await page.goBack();
      await title(page, "Un pozo para todos").waitFor();
    });

    it("find languages by their own name, by their name in the page's language, and by code", async () => {
      const page = await open();
      await page.getByRole("link", { name: "English" }).last().waitFor();
      const search = page.getByLabel("Find a language");
      const found = async () => (await page.locator("#languages bdi").allTextContents()).sort();
      for (const [typed, expected] of [
        ["ESPAN", ["Español"]],
        ["Chinese", ["中文"]],
        ["العرب", ["العربية"]],
        ["हिन", ["हिन्दी"]],
        ["fr", ["Français"]],
        ["klingon", []],
      ] as const) {
        await search.fill(typed);
        expect(await found(), typed).toEqual(expected);
      }
      expect(await status(page, "No language matches").count()).toBe(1);
    });

    it("find books by title, and show their number", async () => {
      const page = await open("?language=en");
      await count(page, "5 books");
      const search = page.getByLabel("Find a book");
      await search.fill("well everyone");
      await count(page, "1 book");
      expect(await page.locator("#book-list h3").allTextContents()).toEqual(["A Well for Everyone"]);
      await search.fill("no such book");
      await status(page, "No book matches your search.").waitFor();
      expect(await page.locator("#book-list li").count()).toBe(0);
    });

    it("load covers lazily from the service, in a suitable width", async () => {
      const page = await open("?language=zh");
      const cover = page.locator("#book-list img").first();
      await cover.waitFor();
      expect(await cover.getAttribute("loading")).toBe("lazy");
      const drawn = "document.querySelector('#book-list img').naturalWidth";
      await expect.poll(() => page.evaluate(drawn)).toBeGreaterThan(100);
      expect(await page.evaluate("document.querySelector('#book-list img').currentSrc")).toMatch(
        /width=320$/,
      );
    });

    it("are in Arabic, from right to left", async () => {
      const page = await open("?lang=ar");
      await title(page, "بئر للجميع").waitFor();
      expect(await page.locator("html").getAttribute("dir")).toBe("rtl");
      expect(await page.title()).toBe("كتب بلغتك");
      await page.getByLabel("ابحث عن كتاب").fill("شجرة");
      await status(page, "كتاب واحد").waitFor();
      await page.getByRole("link", { name: "الإسبانية" }).click();
      await title(page, "Un pozo para todos").waitFor();
      expect(await page.locator("html").getAttribute("lang")).toBe("ar");
      expect(await page.locator("#book-list li").first().getAttribute("dir")).toBe("ltr");
    });
  });

  describe("the form", () => {
    it.each([
      [
        "en",
        "A Well for Everyone",
        "Please enter your first name.",
        "Please enter a complete e-mail address",
      ],
      ["ar", "بئر للجميع", "أدخل اسمك الأول من فضلك.", "أدخل بريدًا إلكترونيًا كاملًا"],
    ])("shows errors at their fields in %s, then delivers the file", async (lang, book, name, email) => {
      const page = await open(`?lang=${lang}`);
      await epubOf(page, book).click();
      await send(page);
      await page.locator("#firstName-error", { hasText: name }).waitFor();
      expect(await page.locator("#email-error").textContent()).toContain(email);
      expect(await page.locator("#firstName").getAttribute("aria-invalid")).toBe("true");
      expect(await focused(page)).toBe("firstName");
      await fill(page, { firstName: "Sara", email: `sara-${lang}@example.org` });
      const { name: fileName, bytes } = await saved(page, () => send(page));
      const source = uploaded("a-well-for-everyone", lang).find(({ fileType }) => fileType === "epub");
      expect(bytes.equals(source?.bytes ?? Buffer.alloc(0))).toBe(true);
      expect(fileName).toBe(source?.fileName);
      expect(visible(await page.locator("#result-file").textContent())).toContain(fileName);
      const again = await saved(page, () => page.locator("#link").click());
      expect(again.bytes.equals(bytes)).toBe(true);
    });

    it("sends a consent only if the box is ticked, with the version of the text", async () => {
      const page = await open("?language=en&utm_source=leaflet");
      const consentOf = async (email: string) => {
        const search = `/api/admin/contacts?search=${encodeURIComponent(email)}`;
        const list = z.object({ contacts: z.array(z.object({ id: z.string() })) });
        const { contacts } = await loaded.session.get(search, list);
        const details = z.object({
          consents: z.array(z.object({ marketing: z.boolean(), textVersion: z.string() })),
        });
        return (await loaded.session.get(`/api/admin/contacts/${contacts[0]?.id}`, details)).consents;
      };
      for (const [email, isTicked] of [
        ["no@example.org", false],
        ["yes@example.org", true],
      ] as const) {
        await epubOf(page, "Clean Hands").click();
        await fill(page, { firstName: "Sara", email });
        await page.locator("#marketing").setChecked(isTicked);
        await saved(page, () => send(page));
        await page.keyboard.press("Escape");
        expect(await consentOf(email)).toEqual([{ marketing: isTicked, textVersion: "2026-11" }]);
      }
    });

    it("delivers even if the address looks mistyped, and suggests a correction", async () => {
      const page = await open("?language=en");
      await epubOf(page, "Clean Hands").click();
      await fill(page, { firstName: "Sara", email: "sara@gmial.com" });
      await saved(page, () => send(page));
      expect(visible(await page.locator("#suggestion").textContent())).toContain(
        "Did you mean sara@gmail.com?",
      );
      const first = await page.locator("#link").getAttribute("href");
      await page.getByRole("button", { name: "Yes, correct it" }).click();
      await page.getByRole("heading", { name: "We have your new address" }).waitFor();
      expect(await page.locator("#suggestion").isVisible()).toBe(false);
      expect(await page.locator("#link").getAttribute("href")).not.toBe(first);
    });

    it("delivers a whole language as one ZIP", async () => {
      const page = await open("?lang=ar");
      await page.getByRole("button", { name: "تنزيل الكل في ملف ZIP واحد" }).click();
      await fill(page, { firstName: "سارة", email: "sara@example.org" });
      const { bytes } = await saved(page, () => send(page));
      const entries = await readZip(bytes);
      const sources = loaded.files.filter(({ languageCode }) => languageCode === "ar");
      expect(sources.length).toBeGreaterThan(2);
      for (const source of sources)
        expect(
          entries.some((entry) => entry.bytes.equals(source.bytes)),
          source.fileName,
        ).toBe(true);
    });

    it("is usable without a mouse", async () => {
      const page = await open("?language=en");
      await title(page, "Counting Stars").waitFor();
      const press = (...keys: string[]) =>
        keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
      await press("Tab");
      expect(await focused(page)).toBe("Skip to the content");
      await press("Enter", "Tab");
      expect(await focused(page)).toBe("book-search");
      await page.keyboard.type("stars");
      await count(page, "1 book");
      await press("Tab", "Tab", "Tab");
      const pressed = await focused(page);
      expect(pressed).toMatch(/^EPUB/);
      await press("Enter");
      expect(await focused(page)).toBe("firstName");
      await page.keyboard.type("Sara");
      await press("Tab");
      await page.keyboard.type("sara@example.org");
      await press("Tab", "Space", "Tab", "Tab");
      expect(await page.locator("#marketing").isChecked()).toBe(true);
      expect(await focused(page)).toBe("Download");
      const { name } = await saved(page, () => press("Enter"));
      expect(name).toBe("Counting Stars [en].epub");
      expect(await focused(page)).toBe("Your download starts now");
      await press("Escape");
      expect(await focused(page)).toBe(pressed);
    });

    it("reports a missing connection, and retries", async () => {
      const page = await open("?language=en");
      await count(page, "5 books");
      await page.context().setOffline(true);
      await page.getByLabel("Find a book").fill("well");
      await status(page, "can’t be reached").waitFor();
      await epubOf(page, "Clean Hands").click();
      await send(page);
      await page.getByRole("alert").filter({ hasText: "can’t be reached" }).waitFor();
      await page.context().setOffline(false);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Try again" }).click();
      await count(page, "1 book");
    });
  });

  describe("the address of a book", () => {
    it("is the link of its title, and opens its form, with its title and its other languages", async () => {
      const page = await open("?language=es");
      await page.getByRole("link", { name: "Un pozo para todos" }).click();
      const dialog = page.getByRole("dialog", { name: "Un pozo para todos" });
      await dialog.waitFor();
      expect(new URL(page.url()).search).toBe("?language=es&book=a-well-for-everyone");
      expect(await page.title()).toBe("Un pozo para todos");
      await dialog.getByRole("link", { name: "A Well for Everyone" }).click();
      await page.getByRole("dialog", { name: "A Well for Everyone" }).waitFor();
      expect(new URL(page.url()).searchParams.get("language")).toBe("en");
      await page.keyboard.press("Escape");
      await expect.poll(() => new URL(page.url()).search).toBe("?language=en");
      expect(await page.title()).toBe("Books in your language");
    });

    it("offers the available formats of the book", async () => {
      const page = await open("?language=en&book=a-well-for-everyone");
      const format = page.getByLabel("File format");
      await format.waitFor();
      expect(await format.locator("option").count()).toBeGreaterThan(1);
      await format.selectOption("pdf");
      await fill(page, { firstName: "Sara", email: "sara@example.org" });
      const { bytes } = await saved(page, () => send(page));
      const source = uploaded("a-well-for-everyone", "en").find(({ fileType }) => fileType === "pdf");
      expect(bytes.equals(source?.bytes ?? Buffer.alloc(0))).toBe(true);
    });

    it("reports an unknown book, and shows the others", async () => {
      const page = await open("?language=en&book=no-such-book");
      await status(page, "no longer, offered").waitFor();
      expect(await page.locator("#book-list li").count()).toBe(5);
      expect(await page.getByRole("dialog").count()).toBe(0);
    });
  });

  describe("the layout", () => {
    it.each(Object.keys(TEXTS))("fits into 320 pixels without accessibility errors in %s", async (lang) => {
      const viewport = { width: 320, height: 640 };
      const page = await open(`?lang=${lang}&language=en&book=counting-stars`, { viewport });
      await page.getByRole("dialog", { name: "Counting Stars" }).waitFor();
      expect(await page.locator("html").getAttribute("lang")).toBe(lang);
      expect(await widthOf(page)).toBe(320);
      expect(await findAccessibilityErrors(page)).toEqual([]);
      await page.keyboard.press("Escape");
      expect(await widthOf(page)).toBe(320);
      expect(await findAccessibilityErrors(page)).toEqual([]);
    });

    it.each(["en", "ar"])("fits into 320 pixels in %s, with and without the form", async (lang) => {
      const page = await open(`?lang=${lang}`, { viewport: { width: 320, height: 640 } });
      await page.locator("#book-list li").first().waitFor();
      expect(await widthOf(page)).toBe(320);
      await page.locator("#book-list button").first().click();
      await send(page);
      await page.locator("#email-error:not(:empty)").waitFor();
      expect(await widthOf(page)).toBe(320);
      await fill(page, { firstName: "Sara", email: `${"long".repeat(15)}@gmial.com` });
      await saved(page, () => send(page));
      expect(await widthOf(page)).toBe(320);
      const dialog = await page.getByRole("dialog").boundingBox();
      expect(dialog?.width).toBeLessThanOrEqual(320);
      expect(await page.evaluate("document.querySelector('dialog').scrollWidth")).toBeLessThanOrEqual(320);
    });

    it.each([
      ["en", "light"],
      ["en", "dark"],
      ["ar", "light"],
      ["ar", "dark"],
    ] as const)("has no accessibility errors in %s, %s", async (lang, colorScheme) => {
      const page = await open(`?lang=${lang}`, { colorScheme });
      await page.locator("#book-list li").first().waitFor();
      const background = z
        .string()
        .parse(await page.evaluate("getComputedStyle(document.body.parentNode).backgroundColor"));
      const [red = 0] = background.match(/\d+/g)?.map(Number) ?? [];
      expect(red < 128).toBe(colorScheme === "dark");
      expect(await findAccessibilityErrors(page)).toEqual([]);
      await page.locator("#book-list button").first().click();
      await send(page);
      await page.locator("#email-error:not(:empty)").waitFor();
      expect(await findAccessibilityErrors(page)).toEqual([]);
      await fill(page, { firstName: "Sara", email: "sara@gmial.com" });
      await saved(page, () => send(page));
      expect(await findAccessibilityErrors(page)).toEqual([]);
    });
  });

  it("leads a browser without scripts to the library, which delivers a book", async () => {
    const page = await open("", { javaScriptEnabled: false });
    await page.getByRole("link", { name: "A page without scripts" }).click();
    await page.locator("main a[hreflang=en]").click();
    await page.getByRole("heading", { level: 3, name: "Counting Stars" }).click();
    await page.getByLabel(/EPUB/).check();
    await page.getByLabel("First name").fill("Sara");
    await page.getByLabel("E-mail address").fill("sara@example.org");
    const book = await saved(page, () => page.getByRole("button", { name: "Download" }).click());
    const source = uploaded("counting-stars", "en").find(({ fileType }) => fileType === "epub");
    expect(book.bytes.equals(source?.bytes ?? Buffer.alloc(0))).toBe(true);
  });

  /** The same page before an application whose clock and limits the test sets. */
  async function openOnApp(variables: Readonly<Record<string, string>> = {}) {
    const sitePort = await freePort(0);
    const app = await startApp({ ...variables, CORS_ORIGINS: `http://127.0.0.1:${sitePort}` });
    const admin = await app.admin();
    await app.make.language("en");
    const { port } = z.object({ port: z.int() }).parse(app.server.address());
    const own = await serveSite({ port: sitePort, service: `http://127.0.0.1:${port}` });
    onTestFinished(own.close);
    return { app, admin, show: () => openPage(browser, own.url) };
  }

  const request = async (page: Page) => {
    await page.getByRole("button", { name: /^TXT/ }).first().click();
    await fill(page, { firstName: "Sara", email: "sara@example.org" });
  };

  describe("the page of a service with few books", () => {
    it("renews an expired link without typing again", async () => {
      const { app, show } = await openOnApp();
      await app.make.published("The Well", "en", "the text");
      const page = await show();
      await request(page);
      await saved(page, () => send(page));
      app.clock.advance(601_000);
      await page.getByRole("link", { name: "Download again" }).click();
      await page.getByRole("alert").filter({ hasText: "The link has expired." }).waitFor();
      const { bytes } = await saved(page, () => send(page));
      expect(bytes.toString()).toBe("the text");
    });

    it("reports a book that is no longer available", async () => {
      const { app, admin, show } = await openOnApp();
      const { book } = await app.make.published("The Well", "en");
      const page = await show();
      await request(page);
      await admin.delete(`/api/admin/books/${book.id}`);
      await send(page);
      await page.getByRole("alert").filter({ hasText: "no longer, offered" }).waitFor();
    });

    it("reports too many requests", async () => {
      const { app, show } = await openOnApp({ RATE_LIMIT_SUBMIT: "1" });
      await app.make.published("The Well", "en");
      const page = await show();
      await request(page);
      await saved(page, () => send(page));
      await page.keyboard.press("Escape");
      await request(page);
      await send(page);
      await page.getByRole("alert").filter({ hasText: "many requests" }).waitFor();
    });

    it("reports that there are no books yet, and shows many in portions", async () => {
      const { admin, show } = await openOnApp();
      await status(await show(), "There are no books yet.").waitFor();
      const books = Array.from({ length: 30 }, (_, index) => ({
        titleEn: `Book ${index + 1}`,
        authors: ["Ana Núñez", "Bo Li"],
        files: [link("en", `book-${index}`)],
      }));
      expect((await admin.post("/api/admin/books/bulk", { books })).status).toBe(200);
      const page = await show();
      await count(page, "30 books");
      expect(await page.locator("#book-list li").count()).toBe(24);
      await page.getByRole("button", { name: "Show more books" }).click();
      await title(page, "Book 30").waitFor();
      expect(await page.locator("#more").isVisible()).toBe(false);
      expect(await page.locator("#book-list li").count()).toBe(30);
      expect(await page.locator(".authors").last().textContent()).toBe("Ana Núñez, Bo Li");
    });
  });
});
