/** The real console, built and served by a service of the test, in a real browser. */
import { readFile } from "node:fs/promises";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { startApp } from "./app.ts";
import { launchChromium } from "./chromium.ts";
import { PASSWORD } from "./factory.ts";
import { type Opener, openPage } from "./open-page.ts";

/** With every kind of script, a direction of its own, and markup that must stay text. */
export const ANY_TITLE = "<script>alert(1)</script> كتاب 本 ห้อง བོད་ ספר देवनागरी &amp; \u202Eright to left";

/** A browser for the console that is closed after the tests of the file or block. */
export function useBrowser(): Opener {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  return { newContext: (options) => browser.newContext(options) };
}

/** Two books, two languages and a channel, and an administrator. */
export async function startConsole(variables: Readonly<Record<string, string>> = {}) {
  const app = await startApp(variables);
  // A browser drops the cookie of a session that has ended by its own clock.
  app.clock.advance(Date.now() - app.clock.now());
  const { make } = app;
  // With the names that the service fills in: corrected ones are shown in every language.
  const addLanguage = make.language.bind(make);
  make.language = (code, more) => addLanguage(code, { name: undefined, nativeName: undefined, ...more });
  await make.language("es");
  await make.language("ar", { direction: "rtl" });
  const well = await make.book("The Deep Well", {
    tags: ["water"],
    translations: [{ languageCode: "es", title: "El pozo profundo" }],
  });
  await make.textFile(well.id, "es", "Había una vez");
  const any = await make.book(ANY_TITLE);
  await make.channel("Website");
  const { email } = await make.user("admin");
  const address = app.server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { ...app, well, any, email, base: `http://127.0.0.1:${address.port}/console/` };
}

export type ConsoleScene = Awaited<ReturnType<typeof startConsole>>;

export async function logIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.locator("input[type=email]").fill(email);
  await page.locator("input[type=password]").fill(password);
  await page.keyboard.press("Enter");
}

/** Opens a page, logged in. */
export async function openConsole(
  browser: Opener,
  { base, email }: Pick<ConsoleScene, "base" | "email">,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await openPage(browser, base + path, options);
  page.setDefaultTimeout(20_000);
  await logIn(page, email);
  await page.locator("#content h1").waitFor();
  return page;
}

/** The text of the file that a link gives. */
export async function download(page: Page, role: "link" | "menuitem", name: string): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole(role, { name }).click()]);
  return readFile(await file.path(), "utf8");
}

/** The page of the well, with what the API says of that book. */
export async function openWell(browser: Opener) {
  const scene = await startConsole();
  const admin = await scene.admin();
  const page = await openConsole(browser, scene, `books/${scene.well.id}`);
  const path = `/api/admin/books/${scene.well.id}`;
  return { ...scene, admin, page, path, read: async () => (await admin.get(path)).body };
}
