/** `<book-library>` on a page of another site: strict policies, hostile styles, other languages, and what goes wrong. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { Page } from "@playwright/test";
import { z } from "zod";
import { portOf } from "../../tools/lib/listening.ts";
import { ALL_VARIANTS } from "../support/all-variants.ts";
import { findAccessibilityErrors } from "../support/chromium.ts";
import { expect, testOn } from "./fixtures.ts";
import { ANY_TITLE } from "./support/scenes.ts";
import { Template } from "./support/template.ts";

/** As the owner of another site writes them. */
const HOSTILE = `* { display: none; all: revert; color: inherit }
  html, body, main, h1, style { display: block } img, li, button, dialog, input { display: none !important; position: fixed }`;
const IMAGE = '<img src=x onerror="document.title=1">';

/** @param numbers of the first and the last */
const makeBooks = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index).map((number) => ({
    titleEn: `Book ${number}`,
    files: [
      {
        languageCode: "en",
        fileType: "pdf",
        sourceType: "url",
        cloudUrl: `https://files.example.org/${number}.pdf`,
        fileName: `${number}.pdf`,
        fileSizeBytes: 1000,
      },
    ],
  }));

const LIBRARY = new Template(async ({ make, admin: logIn }) => {
  const admin = await logIn();
  for (const code of ["en", "ar", "bo"])
    await make.language(code, { name: undefined, nativeName: undefined });
  const any = await make.book(ANY_TITLE, { description: IMAGE, authors: [IMAGE] });
  for (const code of ["en", "ar"]) await make.textFile(any.id, code, "Once upon a time");
  expect((await admin.post("/api/admin/books/bulk", { books: makeBooks(1, 30) })).body.results.length).toBe(
    30,
  );
  await make.published("དཔེ་ཆ", "bo");
  return { slug: any.slug };
});

const LARGE = new Template(async ({ make, admin: logIn }) => {
  const admin = await logIn();
  await make.language("en", { name: undefined, nativeName: undefined });
  for (const first of [1, 1001]) {
    const books = makeBooks(first, first + 999);
    expect((await admin.post("/api/admin/books/bulk", { books })).body.results.length).toBe(1000);
  }
  return {};
});

/** A site on a port of its own, which forbids everything that the element doesn't need. */
interface Parish {
  origin: string;
  /** What is inside the next page. */
  body: string;
  /** Of the service, as the page's policy has it. */
  service: string;
  script: string;
  isStrict: boolean;
  lang: string;
}

interface Fixtures {
  parish: Parish;
  isAllowed: boolean;
  limits: Readonly<Record<string, string>>;
  visit(body: string, given?: Partial<Parish> & { path?: string; options?: object }): Promise<Page>;
}

const testOnSite = <Data extends object>(template: Template<Data>) =>
  testOn(template).extend<Fixtures>({
    isAllowed: [true, { option: true }],
    limits: [{}, { option: true }],
    parish: async ({ browserName: _ }, use) => {
      const parish = { origin: "", body: "", service: "", script: "", isStrict: true, lang: "en" };
      const server = createServer((_req, res) => {
        const { body, service, script, isStrict, lang } = parish;
        const policy = `default-src 'none'; script-src ${service}; img-src ${service}; connect-src ${service}; require-trusted-types-for 'script'`;
        res.setHeader("Content-Type", "text/html; charset=utf-8");
        if (isStrict) res.setHeader("Content-Security-Policy", policy);
        res.end(
          `<!doctype html><html lang="${lang}"><title>Parish</title><meta name="viewport" content="width=device-width"><main><h1>Our parish</h1>${body}</main>${script}</html>`,
        );
      }).listen(0, "127.0.0.1");
      await new Promise((resolve) => server.once("listening", resolve));
      parish.origin = `http://127.0.0.1:${portOf(server)}`;
      await use(parish);
      server.close();
      server.closeAllConnections();
    },
    settings: async ({ parish, isAllowed, limits }, use) =>
      use({ ...limits, ...(isAllowed && { CORS_ORIGINS: parish.origin }) }),
    visit: async ({ parish, scene, windows }, use) => {
      const service = new URL(scene.base).origin;
      await use(async (body, { path = "/", options = {}, ...given } = {}) => {
        const script = `<script src="${service}/api/widget.js" defer></script>`;
        Object.assign(parish, { body, service, script, isStrict: true, lang: "en", ...given });
        return windows.open({ base: parish.origin, cookie: undefined }, path, {
          locale: "en-US",
          ...options,
        });
      });
    },
  });

const test = testOnSite(LIBRARY);
const testLarge = testOnSite(LARGE);

const DIALOG = "document.querySelector('book-library').shadowRoot.querySelector('dialog')";
const ELEMENT =
  '<book-library languages="none"><a href="https://books.example.org/">Our books</a></book-library>';
const status = (page: Page) => page.getByRole("status");
const isolated = (text: string) => new RegExp(text.replaceAll(/\d+/g, "\\W?$&\\W?"));

async function fill(page: Page, email = "sara@example.org"): Promise<void> {
  await page.getByLabel("First name").fill("Sara");
  await page.getByLabel("E-mail address").fill(email);
}

async function saved(page: Page, press: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return readFileSync(await download.path(), "utf8");
}

const send = (page: Page) => page.getByRole("button", { name: "Download", exact: true }).click();
const ask = (page: Page) => page.getByRole("button", { name: /^TXT/ }).first().click();

test("lists, searches and delivers under a strict policy, in a page with hostile styles", async ({
  visit,
  scene,
}) => {
  const page = await visit(`<style>${HOSTILE}</style>${ELEMENT}`, {
    isStrict: false,
    path: "/?utm_source=leaflet&fbclid=secret",
  });
  await expect(status(page)).toHaveText(isolated("31 books"));
  const strict = await visit(ELEMENT.replace("<book-library", '<book-library text-version="1"'), {
    path: "/?utm_source=leaflet&fbclid=secret",
  });
  await expect(strict.getByRole("listitem")).toHaveCount(24);
  await strict.getByRole("button", { name: "Show more books" }).click();
  await expect(strict.getByRole("listitem")).toHaveCount(31);
  await strict.getByRole("searchbox").fill("script");
  await expect(strict.getByRole("listitem")).toHaveCount(1);
  const asked = strict.waitForRequest(/download\/submit/);
  await ask(strict);
  await fill(strict);
  await strict.getByRole("checkbox").check();
  expect(await saved(strict, () => send(strict))).toBe("Once upon a time");
  const request = await asked;
  expect(new URL(request.url()).search).toBe("?utm_source=leaflet");
  expect(request.postDataJSON()).toMatchObject({ consent: { marketing: true, textVersion: "1" } });
  await expect(strict.getByRole("heading", { name: "Your download starts now" })).toBeFocused();
  await page.getByRole("searchbox").fill("script");
  await expect(page.getByRole("listitem")).toHaveCount(1);
  await ask(page);
  await fill(page);
  expect(await saved(page, () => send(page))).toBe("Once upon a time");
  const list = z.object({ contacts: z.array(z.object({ email: z.string() })) });
  expect(list.parse((await (await scene.admin()).get("/api/admin/contacts")).body).contacts.length).toBe(1);
});

test("is used by keyboard alone, shows errors at their fields, and returns the focus", async ({ visit }) => {
  const page = await visit(ELEMENT.replace("<book-library", `<book-library search="script"`));
  await expect(page.getByRole("listitem")).toHaveCount(1);
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await press("Tab");
  await expect(page.getByLabel("Find a book")).toBeFocused();
  await press("Tab");
  const format = page.getByRole("button", { name: /^TXT/ });
  await expect(format).toBeFocused();
  await press("Enter");
  await expect(page.getByLabel("First name")).toBeFocused();
  await press("Enter");
  await expect(page.getByText("Please enter your first name.")).toBeVisible();
  await expect(page.getByLabel("First name")).toBeFocused();
  await expect(page.getByLabel("E-mail address")).toHaveAttribute("aria-invalid", "true");
  await page.keyboard.type("Sara");
  await press("Tab");
  await page.keyboard.type("sara@gmial.com");
  await press("Tab");
  const saving = page.waitForEvent("download");
  await press("Enter");
  await saving;
  await expect(page.getByText(isolated("Did you mean"))).toBeVisible();
  await press("Escape");
  await expect(format).toBeFocused();
});

test("delivers all books of a language, and reports both steps to the page", async ({ visit }) => {
  const page = await visit(ELEMENT.replace("<book-library", '<book-library language="ar"'), { lang: "ar" });
  await page.evaluate(`globalThis.heard = []; for (const name of ["request", "link"])
    document.addEventListener("book-library-" + name, ({ type, detail }) => heard.push([type, detail]))`);
  await page.getByRole("button", { name: "تنزيل الكل في ملف ZIP واحد" }).click();
  await page.getByRole("textbox").nth(0).fill("سارة");
  await page.getByRole("textbox").nth(1).fill("sara@example.org");
  const zip = await saved(page, () => page.locator("form button").first().click());
  expect(zip.slice(0, 2)).toBe("PK");
  const detail = { slug: null, language: "ar" };
  await expect
    .poll(() => page.evaluate("heard"))
    .toEqual([
      ["book-library-request", detail],
      ["book-library-link", detail],
    ]);
});

test("renews an expired link, and says that the connection is lost", async ({ visit, scene }) => {
  const page = await visit(ELEMENT.replace("<book-library", `<book-library book="${scene.slug}"`));
  await ask(page);
  await fill(page);
  await saved(page, () => send(page));
  scene.clock.advance(601_000);
  await page.getByRole("link", { name: "Download again" }).click();
  await expect(page.getByRole("alert")).toContainText("The link has expired.");
  await page.context().setOffline(true);
  await send(page);
  await expect(page.getByRole("alert")).toContainText("can’t be reached");
  await page.context().setOffline(false);
  expect(await saved(page, () => send(page))).toBe("Once upon a time");
});

test.describe("with a limit", () => {
  test.use({ limits: { RATE_LIMIT_SUBMIT: "1", RATE_LIMIT_SEARCH: "1" } });

  test("says that there are too many requests, and tries again", async ({ visit, scene }) => {
    const page = await visit(ELEMENT);
    await page.getByRole("searchbox").fill("script");
    await expect(page.getByRole("listitem")).toHaveCount(1);
    await page.getByRole("searchbox").fill("book 1");
    await expect(status(page)).toContainText("too many requests");
    await expect(page.getByRole("link", { name: "Our books" })).toBeVisible();
    scene.clock.advance(120_000);
    await page.getByRole("searchbox").fill("");
    await expect(page.getByRole("listitem")).toHaveCount(24);
  });
});

for (const [code, find, direction, colours] of [
  ["ar", "ابحث عن كتاب", "rtl", "light"],
  ["bo", "དཔེ་ཆ་འཚོལ།", "ltr", "dark"],
  ["en", "Find a book", "ltr", "light"],
] as const)
  test(`speaks ${code}, fits into 320 pixels, also with large text, and has no accessibility errors`, async ({
    visit,
  }) => {
    const privacy = `<book-library language="${code}" text-version="1" privacy-url="/privacy">`;
    for (const colorScheme of ALL_VARIANTS ? (["light", "dark"] as const) : [colours]) {
      const page = await visit(
        `<h2>Books</h2>${privacy}</book-library><style>:root { color-scheme: light dark }</style>`,
        {
          isStrict: false,
          options: { viewport: { width: 320, height: 640 }, colorScheme },
        },
      );
      await expect(page.getByLabel(find)).toBeVisible();
      await expect(page.locator("[part=library]")).toHaveAttribute("dir", direction);
      await expect(page.locator("[part=book]").first()).toHaveAttribute("lang", code);
      expect(await findAccessibilityErrors(page)).toEqual([]);
      await page.locator("[part~=format]").first().click();
      await page.locator("form button").first().click();
      await expect(page.locator("[part=error]").first()).not.toBeEmpty();
      expect(await findAccessibilityErrors(page)).toEqual([]);
      for (const size of ["100%", "200%"]) {
        await page.evaluate(`document.documentElement.style.fontSize = "${size}"`);
        await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(320);
        await expect.poll(() => page.evaluate(`${DIALOG}.scrollWidth - ${DIALOG}.clientWidth`)).toBe(0);
      }
    }
  });

test("needs neither colours nor motion", async ({ visit }) => {
  const options = { forcedColors: "active", reducedMotion: "no-preference" };
  const page = await visit(ELEMENT, { options, isStrict: false });
  await ask(page);
  await fill(page, "");
  await send(page);
  await expect(page.getByText("Please enter a complete e-mail address")).toBeVisible();
  await expect(page.getByLabel("First name")).toHaveCSS("border-top-width", "1px");
  await expect(page.getByLabel("E-mail address")).toHaveCSS("border-top-width", "2px");
  await expect(page.getByLabel("E-mail address")).toHaveCSS("outline-style", "solid");
  expect(await findAccessibilityErrors(page)).toEqual([]);
  await expect.poll(() => page.evaluate("document.getAnimations().length")).toBe(0);
});

test("loads covers on a phone as wide as it shows them", async ({ visit }) => {
  const options = { viewport: { width: 360, height: 640 }, deviceScaleFactor: 2 };
  const page = await visit(ELEMENT, { options });
  const cover = page.locator('[part="cover"]').first();
  await expect(cover).toHaveCSS("width", "96px");
  await expect
    .poll(() => cover.evaluate((image) => Reflect.get(image, "currentSrc")))
    .toMatch(/[?&]width=320$/);
});

test.describe("with confirmed addresses", () => {
  const letters = { SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "books@example.org" };
  test.use({ limits: { ...letters, PUBLIC_BASE_URL: "http://127.0.0.1", EMAIL_CONFIRMATION: "required" } });

  test("asks the reader to look into the mail, and leaves it to the link to say when it is too early", async ({
    visit,
  }) => {
    const page = await visit(ELEMENT, {
      isStrict: false,
      options: { viewport: { width: 320, height: 640 } },
    });
    await ask(page);
    await fill(page);
    await send(page);
    await expect(page.getByRole("heading", { name: "Please look into your e-mail" })).toBeFocused();
    expect(await findAccessibilityErrors(page)).toEqual([]);
    const early = page.waitForResponse(/api\/download\//);
    await page.getByRole("link", { name: "I have confirmed" }).click();
    expect((await early).status()).toBe(403);
  });
});

testLarge("shows 24 of 2,000 books at a time, and needs less than 50 MB for all", async ({ visit }) => {
  const page = await visit(ELEMENT);
  const devtools = await page.context().newCDPSession(page);
  // The service would draw each of them, which takes minutes.
  await devtools.send("Network.enable");
  await devtools.send("Network.setBlockedURLs", { urls: ["*/cover*"] });
  const books = page.getByRole("listitem");
  await expect(status(page)).toHaveText(isolated("2,000 books"));
  await expect(books).toHaveCount(24);
  await page.getByRole("button", { name: "Show more books" }).press("Enter");
  await expect(books.nth(24).getByRole("button")).toBeFocused();
  // To find elements by their roles, Playwright computes the style of each.
  await page.evaluate(SHOW_ALL);
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize, embedderHeapUsedSize = 0 } = await devtools.send("Runtime.getHeapUsage");
  expect(usedSize + embedderHeapUsedSize).toBeLessThan(50e6);
});

const SHOW_ALL = `new Promise((shown) => {
  const { shadowRoot } = document.querySelector("book-library");
  const showMore = () => {
    if (shadowRoot.querySelectorAll("li").length === 2000) return shown();
    shadowRoot.querySelector("[part~=more]")?.click();
  };
  new MutationObserver(showMore).observe(shadowRoot.querySelector("[part=list]"), { childList: true });
  showMore();
})`;

test("shows markup in any text as text", async ({ visit, scene }) => {
  const page = await visit(
    `<book-library book="${scene.slug}" search="${IMAGE.replaceAll('"', "&quot;")}"></book-library>`,
  );
  const book = page.getByRole("listitem");
  await expect(book.getByRole("heading")).toHaveText(ANY_TITLE);
  await expect(book.getByText(IMAGE)).toHaveCount(2);
  await expect(book.locator("img")).toHaveCount(1);
  await ask(page);
  await expect(page.getByRole("dialog").getByRole("heading")).toHaveText(ANY_TITLE);
  await expect(page).toHaveTitle("Parish");
});

test.describe("on a page that CORS_ORIGINS lacks", () => {
  test.use({ isAllowed: false });

  test("shows a sentence and the link to readers, and the line for .env to the owner", async ({
    visit,
    windows,
    parish,
  }) => {
    const page = await visit(ELEMENT);
    await expect(status(page)).toContainText("You find the books here:");
    await expect(page.getByRole("link", { name: "Our books" })).toBeVisible();
    await expect.poll(() => windows.errors.join("\n")).toContain(`CORS_ORIGINS=${parish.origin}`);
    expect(windows.errors.splice(0).filter((text) => !/CORS/.test(text))).toEqual([]);
  });
});

test("is there twice, follows its attributes, and may leave during a request and come back", async ({
  visit,
  scene,
}) => {
  const page = await visit(
    `${ELEMENT}<book-library languages="en ar" limit="2" search="none"></book-library>`,
  );
  await expect(page.getByRole("listitem")).toHaveCount(26);
  const second = page.locator("book-library").nth(1);
  await expect(second.getByRole("searchbox")).toHaveCount(0);
  await second.getByRole("combobox").selectOption("ar");
  await expect(second.getByRole("listitem")).toHaveCount(1);
  await expect(second.getByRole("combobox")).toBeFocused();
  await page.evaluate("document.querySelectorAll('book-library')[0].setAttribute('limit', '3')");
  await expect(page.locator("book-library").first().getByRole("listitem")).toHaveCount(3);
  await page.evaluate(`const [one] = document.querySelectorAll("book-library"); globalThis.one = one;
    one.setAttribute("book", "${scene.slug}"); setTimeout(() => one.remove(), 0)`);
  await expect(page.locator("book-library")).toHaveCount(1);
  await page.evaluate("document.querySelector('main').append(one)");
  await expect(second.getByRole("heading", { name: ANY_TITLE })).toBeVisible();
});

test("shows the book that a link of the service names in the page's address", async ({ visit, scene }) => {
  const page = await visit(ELEMENT, { path: `/?language=ar&book=${scene.slug}` });
  await expect(page.getByRole("heading", { name: ANY_TITLE })).toBeVisible();
  await expect(page.getByRole("listitem").getByRole("button")).toHaveText([/كيلوبايت/]);
});

test("asks for nothing before it is near the view, keeps nothing, and needs no other host", async ({
  visit,
  parish,
  scene,
}) => {
  const spacer = `<div id="far"></div><style>#far { height: 5000px }</style>`;
  const requests: string[] = [];
  const page = await visit("");
  page.on("request", (request) => requests.push(request.url()));
  Object.assign(parish, { body: spacer + ELEMENT, isStrict: false });
  await page.reload();
  await expect(page.getByRole("link", { name: "Our books" })).toHaveCount(1);
  await page.evaluate(
    "new Promise((done) => requestIdleCallback(done)).then(() => customElements.whenDefined('book-library')).then(() => 1)",
  );
  const service = new URL(scene.base).origin;
  const toService = () => requests.filter((url) => url.startsWith(service));
  expect(toService()).toEqual([`${service}/api/widget.js`]);
  await page.locator("book-library").scrollIntoViewIfNeeded();
  await expect(page.getByRole("listitem")).toHaveCount(24);
  const hosts = new Set(requests.filter((url) => !url.startsWith("data:")).map((url) => new URL(url).origin));
  expect([...hosts].sort()).toEqual([parish.origin, service].sort());
  expect(await page.context().cookies()).toEqual([]);
  await expect.poll(() => page.evaluate("localStorage.length + sessionStorage.length")).toBe(0);
});

test("works as a module, and needs the address of the service where a plug-in has inlined it", async ({
  visit,
  scene,
  windows,
}) => {
  const service = new URL(scene.base).origin;
  const asModule = await visit(ELEMENT, {
    script: `<script type="module" src="${service}/api/widget.js"></script>`,
  });
  await expect(asModule.getByRole("listitem")).toHaveCount(24);
  const text = String((await scene.api.get("/api/widget.js")).body);
  const inlined = { script: `<script>${text}</script>`, isStrict: false };
  const page = await visit(ELEMENT, inlined);
  await expect(page.getByRole("link", { name: "Our books" })).toBeVisible();
  await expect.poll(() => windows.errors.splice(0).join()).toContain('service="https://books.example.org"');
  const named = await visit(ELEMENT.replace("<book-library", `<book-library service="${service}/"`), inlined);
  await expect(named.getByRole("listitem")).toHaveCount(24);
});
