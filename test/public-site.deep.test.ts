/** The public page of examples/public-site in a real browser, on the demo's catalogue. */
import { readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Loaded, loadCatalogue } from "../tools/demo/load.ts";
import { Report } from "../tools/demo/print.ts";
import { readZip } from "../tools/lib/read-zip.ts";
import { freePort, ServerProcess, UNLIMITED } from "../tools/lib/server-process.ts";
import { ServiceClient } from "../tools/lib/service-client.ts";
import { CHROMIUM, launchChromium } from "./support/chromium.ts";
import { openPage } from "./support/open-page.ts";
import { type Site, serveSite } from "./support/public-site.ts";

const ADMIN = { email: "admin@example.org", password: "a long enough pass phrase" };
/** Values in sentences are isolated by invisible characters. */
const visible = (text: string | null): string => (text ?? "").replaceAll(/[\u2068\u2069]/g, "");

const title = (page: Page, text: string) => page.getByRole("heading", { level: 2, name: text });
const formatOf = (page: Page, type: string, book: string) =>
  page.getByRole("button", { name: new RegExp(`^${type} .*: ${book}$`) });

const fill = async (page: Page, { firstName, email }: { firstName: string; email: string }) => {
  await page.locator("#firstName").fill(firstName);
  await page.locator("#email").fill(email);
};

/** What the browser saves when something is pressed. */
async function saved(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

const send = (page: Page) => page.locator("form button").first().click();
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

  it("shows the books of the browser's language, and of another one that is chosen", async () => {
    const page = await open("?languages=es,hi", { locale: "es-MX" });
    await title(page, "Un pozo para todos").waitFor();
    await page.getByLabel("Idiomas").selectOption("hi");
    await title(page, "सबका कुआँ").waitFor();
    expect(await page.getByRole("listitem").first().getAttribute("lang")).toBe("hi");
  });

  it("loads covers lazily from the service, in a suitable width", async () => {
    const page = await open("?language=zh");
    const cover = page.locator("[part=cover]").first();
    await cover.waitFor();
    expect(await cover.getAttribute("loading")).toBe("lazy");
    const drawn = "document.querySelector('book-library').shadowRoot.querySelector('img')";
    await expect.poll(() => page.evaluate(`${drawn}.naturalWidth`)).toBeGreaterThan(100);
    expect(await page.evaluate(`${drawn}.currentSrc`)).toMatch(/width=320$/);
  });

  it.each([
    ["en", "A Well for Everyone", "epub"],
    ["en", "A Well for Everyone", "pdf"],
    ["ar", "بئر للجميع", "epub"],
  ])("delivers the file that was asked for in %s: %s, %s", async (lang, book, fileType) => {
    const page = await open(`?language=${lang}`);
    await formatOf(page, fileType.toUpperCase(), book).click();
    await fill(page, { firstName: "Sara", email: `sara-${lang}@example.org` });
    const { name, bytes } = await saved(page, () => send(page));
    const source = uploaded("a-well-for-everyone", lang).find((file) => file.fileType === fileType);
    expect(bytes.equals(source?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect(name).toBe(source?.fileName);
    expect(visible(await page.locator("[part=file]").textContent())).toContain(name);
    const again = await saved(page, () => page.locator("[part~=again]").click());
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
      await formatOf(page, "EPUB", "Clean Hands").click();
      await fill(page, { firstName: "Sara", email });
      await page.getByRole("checkbox").setChecked(isTicked);
      await saved(page, () => send(page));
      await page.keyboard.press("Escape");
      expect(await consentOf(email)).toEqual([{ marketing: isTicked, textVersion: "2026-11" }]);
    }
  });

  it("delivers even if the address looks mistyped, and suggests a correction", async () => {
    const page = await open("?language=en");
    await formatOf(page, "EPUB", "Clean Hands").click();
    await fill(page, { firstName: "Sara", email: "sara@gmial.com" });
    await saved(page, () => send(page));
    expect(visible(await page.locator("[part=suggestion]").textContent())).toContain(
      "Did you mean sara@gmail.com?",
    );
    const first = await page.locator("[part~=again]").getAttribute("href");
    await page.getByRole("button", { name: "Yes, correct it" }).click();
    await page.getByRole("heading", { name: "We have your new address" }).waitFor();
    expect(await page.locator("[part=suggestion]").count()).toBe(0);
    expect(await page.locator("[part~=again]").getAttribute("href")).not.toBe(first);
  });

  it("delivers a whole language as one ZIP", async () => {
    const page = await open("?language=ar");
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

  it("reports an unknown book, with the link to the library", async () => {
    const page = await open("?language=en&book=no-such-book");
    await page.getByRole("status").filter({ hasText: "no longer, offered" }).waitFor();
    expect(await page.getByRole("listitem").count()).toBe(0);
    await page.getByRole("link", { name: "The books are on these pages." }).waitFor();
  });

  it("leads a browser without scripts to the library, which delivers a book", async () => {
    const page = await open("", { javaScriptEnabled: false });
    await page.getByRole("link", { name: "The books are on these pages." }).click();
    await page.locator("main a[hreflang=en]").click();
    await page.getByRole("heading", { level: 3, name: "Counting Stars" }).click();
    await page.getByLabel(/EPUB/).check();
    await page.getByLabel("First name").fill("Sara");
    await page.getByLabel("E-mail address").fill("sara@example.org");
    const book = await saved(page, () => page.getByRole("button", { name: "Download" }).click());
    const source = uploaded("counting-stars", "en").find(({ fileType }) => fileType === "epub");
    expect(book.bytes.equals(source?.bytes ?? Buffer.alloc(0))).toBe(true);
  });
});
