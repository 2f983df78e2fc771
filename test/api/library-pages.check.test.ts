/** The pages of the library, without scripts. */
import { brotliCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { startApp, startWithAdmin } from "../support/app.ts";
import { bodyOf, type Client } from "../support/client.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { BROWSER, linksIn, pageOf } from "../support/library-pages.ts";
import { TEXTS } from "../support/page-texts.ts";

const POLICY =
  "default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'";

async function translate(admin: Client, bookId: string, texts: object): Promise<void> {
  const body = { languageCode: "es", ...texts };
  expect((await admin.post(`/api/admin/books/${bookId}/translations`, body)).status).toBeLessThan(300);
}

async function scene(variables: Record<string, string> = {}) {
  const { app, client: admin } = await startWithAdmin(variables);
  await app.make.language("es", { nativeName: "Español" });
  await app.make.language("ar", { nativeName: "العربية" });
  await app.make.language("am", { nativeName: "አማርኛ" });
  const { book } = await app.make.published("The Deep Well", "es");
  await app.make.textFile(book.id, "ar", "x");
  await app.make.published("A Tall Man", "es");
  await translate(admin, book.id, { title: "El pozo profundo", description: "Un pozo." });
  return { ...app, app, admin, book };
}

describe("GET /library/{code}", () => {
  it("shows the books of the language, without scripts, under a policy that permits none", async () => {
    const { app } = await scene();
    const page = await pageOf(app, "/library/es");
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": POLICY,
      "content-language": "es",
      vary: "Accept-Encoding",
      "cache-control": "no-cache",
      "referrer-policy": "same-origin",
    });
    expect(page.html).toContain('<html lang="es" dir="ltr">');
    expect(page.html).toContain("<h3>El pozo profundo</h3>");
    expect(page.html).toContain('<h3 lang="en" dir="ltr">A Tall Man</h3>');
    expect(page.html).not.toMatch(/<script|style=| on\w+=|https?:\/\/(?!creative)/);
    for (const link of linksIn(page.html, "/library/es"))
      expect((await pageOf(app, link)).status, link).toBe(200);
  });

  it("is kept, and is another one after each change that readers see", async () => {
    const { app, admin, book } = await scene();
    const { etag = "" } = (await pageOf(app, "/library/es")).headers;
    expect((await pageOf(app, "/library/es", { "If-None-Match": etag })).status).toBe(304);
    await translate(admin, book.id, { title: "Otro pozo" });
    expect((await pageOf(app, "/library/es", { "If-None-Match": etag })).html).toContain("Otro pozo");
    expect((await admin.delete(`/api/admin/books/${book.id}`)).status).toBe(200);
    expect((await pageOf(app, "/library/es")).html).not.toContain("Otro pozo");
    expect((await pageOf(app, `/library/es/books/${book.slug}`)).status).toBe(404);
    expect((await pageOf(app, "/library/ar")).status).toBe(404);
  });

  it.each([
    ["/library/ES", "/library/es"],
    ["/library/ES/books/the-deep-well", "/library/es/books/the-deep-well"],
    ["/library/es/", "/library/es"],
    ["/library/es/all/?utm_source=x", "/library/es/all?utm_source=x"],
    ["/library/Es/all", "/library/es/all"],
  ])("redirects to the canonical address: %s", async (path, target) => {
    const { app } = await scene();
    const { status, headers } = await pageOf(app, path);
    expect(status).toBe(308);
    for (const below of ["", "/lib"]) {
      const { pathname, search } = new URL(headers.location ?? "", `http://books.test${below}${path}`);
      expect(pathname + search).toBe(below + target);
    }
  });

  it.each([
    ["/library/xx", 404],
    ["/library/english", 404],
    ["/library/am", 404],
    ["/library/es?page=2", 404],
    ["/library/es/books/nothing", 404],
    ["/library/am/books/the-deep-well", 404],
    ["/library/es/about", 404],
    ["/library/es/privacy", 404],
    ["/library/es?page=0", 400],
    ["/library/es?page=x", 400],
    ["/library/es?page=1.5", 400],
    ["/library/es?order=random", 400],
    [`/library/es?q=${"x".repeat(300)}`, 400],
  ])("gets a page that isn't kept for a wrong address: %s", async (path, expected) => {
    const { app } = await scene();
    for (const headers of [{}, { Accept: "*/*" }, { Accept: "application/json" }]) {
      const page = await pageOf(app, path, headers);
      expect(page.status).toBe(expected);
      expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(page.headers["cache-control"]).toContain("no-store");
      expect(page.headers["x-robots-tag"]).toBe("noindex");
      expect(page.headers.etag).toBeUndefined();
      expect(page.html).toContain("<h1>");
      if (expected === 400) expect(linksIn(page.html, path)).toEqual(["/", "/library"]);
    }
  });

  it("says in the language of the list that an address isn't right", async () => {
    const { app } = await scene();
    const { html } = await pageOf(app, "/library/es?page=x");
    expect(html).toContain('<html lang="es" dir="ltr">');
    expect(html).toContain(TEXTS.es?.library?.wrongAddress);
    const { html: unknown } = await pageOf(app, "/library/xx?page=x", { "Accept-Language": "de" });
    expect(unknown).toContain(TEXTS.de?.library?.wrongAddress);
  });

  it("names authors and series, each in its own direction", async () => {
    const { app, make } = await scene();
    const series = { name: "آبار", position: 2 };
    const { id } = await make.book("Two", { authors: ["Ada <b>", "سارة (1)"], series });
    await make.textFile(id, "ar", "x");
    const names = "<bdi>Ada &#60;b&#62;</bdi>, <bdi>سارة (1)</bdi>";
    const { html } = await pageOf(app, "/library/ar");
    expect(html).toContain(`<p>${names}</p>`);
    expect(html).toMatch(/<p class="series"><bdi>آبار<\/bdi> · [2٢]<\/p>/);
    expect((await pageOf(app, "/library/ar/books/two")).html).toContain(`<p class="authors">${names}</p>`);
  });

  it("leads on from a book that isn't in the language, from the end of a list and from an empty language", async () => {
    const { app, make } = await scene();
    await make.published("Only in Spanish", "es");
    const other = await pageOf(app, "/library/ar/books/only-in-spanish");
    expect(linksIn(other.html, "/library/ar/books/only-in-spanish")).toContain(
      "/library/es/books/only-in-spanish",
    );
    const last = await pageOf(app, "/library/es?page=7");
    expect(linksIn(last.html, "/library/es?page=7")).toContain("/library/es");
    const empty = await pageOf(app, "/library/am");
    expect(linksIn(empty.html, "/library/am")).toEqual(
      expect.arrayContaining(["/library/es", "/library/ar"]),
    );
  });

  it("is shown in parts of 24, in each order, with links to the others", async () => {
    const { app, make } = await startScene(26);
    const first = await pageOf(app, "/library/es");
    expect(first.html.match(/<h3/g)).toHaveLength(24);
    expect(linksIn(first.html, "/library/es")).toContain("/library/es?page=2");
    const second = await pageOf(app, "/library/es?page=2");
    expect(second.html.match(/<h3/g)).toHaveLength(2);
    expect(linksIn(second.html, "/library/es?page=2")).toContain("/library/es");
    const newest = await pageOf(app, "/library/es?order=newest");
    expect(titlesIn(newest.html)[0]).toBe("Book 26");
    await make.published("Ä first one", "es");
    const byTitle = await pageOf(app, "/library/es?order=title");
    expect(titlesIn(byTitle.html)[0]).toBe("Ä first one");
    expect(linksIn(byTitle.html, "/library/es")).toContain("/library/es?order=title&page=2");
    expect(brotliCompressSync(first.html).length).toBeLessThan(8000);
  });

  it("finds books, keeps what was typed in its field, and keeps no such page", async () => {
    const { app } = await scene();
    const found = await pageOf(app, `/library/es?q=${encodeURIComponent('POZO "<b>')}`);
    expect(found.status).toBe(200);
    expect(found.html).toContain('value="POZO &#34;&#60;b&#62;"');
    expect(found.html).not.toContain("<b>");
    const pozo = await pageOf(app, "/library/es?q=pozo");
    expect(titlesIn(pozo.html)).toEqual(["El pozo profundo"]);
    const none = await pageOf(app, "/library/es?q=xyzzy");
    expect([none.status, titlesIn(none.html)]).toEqual([200, []]);
  });

  it("carries a campaign in its own links and forms, and is then for one reader", async () => {
    const { app } = await scene();
    const path = "/library/es?utm_source=a%26b&utm_medium=mail&fbclid=1";
    const page = await pageOf(app, path);
    expect(page.headers).toMatchObject({ "cache-control": "private, no-store" });
    expect(page.headers.etag).toBeUndefined();
    const links = linksIn(page.html, path);
    expect(links.every((link) => link.includes("utm_source=a%26b&utm_medium=mail"))).toBe(true);
    expect(links.join()).not.toContain("fbclid");
    expect(page.html).toContain('<input type="hidden" name="utm_source" value="a&#38;b">');
    const known = "/library/es?utm_source=mail";
    for (let time = 0; time < 2; time += 1) {
      const { status, html } = await pageOf(app, known);
      expect([status, linksIn(html, known).every((link) => link.includes("utm_source=mail"))]).toEqual([
        200,
        true,
      ]);
    }
    const plain = await pageOf(app, "/library/es?fbclid=1");
    expect(plain.headers.etag).toBe((await pageOf(app, "/library/es")).headers.etag);
    expect(plain.html).not.toContain("utm_");
  });

  it.each(["utm_source=a&utm_source=b", "utm_source=a%00b", `utm_source=${"x".repeat(201)}`, "utm_medium="])(
    "is shown with a campaign that can't be recorded: %s",
    async (campaign) => {
      const { app } = await scene();
      for (const path of ["/", "/library", "/library/es", "/library/es/all"]) {
        const page = await pageOf(app, `${path}?${campaign}`);
        expect([path, page.status]).toEqual([path, 200]);
        expect(titlesIn(page.html).length > 0 || !/es$/.test(path), path).toBe(true);
      }
    },
  );

  it("shows every title as text, in its own direction", async () => {
    const { app, make } = await scene();
    const marks = `e${"\u0301\u0316".repeat(14)}`;
    const titles = ["<img src=x onerror=alert(1)>", "x".repeat(300), "עברית RTL", marks];
    for (const title of titles) await make.published(title, "ar");
    const page = await pageOf(app, "/library/ar");
    expect(page.html).toContain('<html lang="ar" dir="rtl">');
    expect(page.html).toContain("&#60;img src=x onerror=alert(1)&#62;");
    expect(page.html).not.toContain("<img src=x");
    for (const link of linksIn(page.html, "/library/ar"))
      expect((await pageOf(app, link)).status, link).toBe(200);
  });
});

describe("GET /", () => {
  it("is in the language of the host, else of the browser, else all languages", async () => {
    const { app, admin, make } = await scene();
    const german = await make.language("de", { customDomain: "buecher.example.org" });
    await make.published("Ein Buch", german.code);
    const headingOf = async (headers: Record<string, string>) =>
      /<h1[^>]*>(.*?)<\/h1>/.exec((await pageOf(app, "/", headers)).html)?.[1];
    expect(await headingOf({ "Accept-Language": "es-MX,en;q=0.5" })).toBe("Español");
    expect(await headingOf({ "Accept-Language": "sw, arz" })).toBe("العربية");
    for (const Host of ["buecher.example.org:8080", "Buecher.example.org.", "buecher.example.org.:8080"])
      expect(await headingOf({ "Accept-Language": "ar", Host })).toBe("Native de");
    const all = await pageOf(app, "/", { "Accept-Language": "sw" });
    expect(all.headers).toMatchObject({ "cache-control": "private, no-cache", "content-language": "sw" });
    expect(all.headers.vary).toContain("Accept-Language");
    expect(linksIn(all.html, "/")).toEqual(
      expect.arrayContaining(["/library/es", "/library/ar", "/library/de"]),
    );
    expect((await bodyOf(admin.get("/api/languages"))).languages).toHaveLength(3);
  });

  it("is a page for every client that takes one", async () => {
    const { api } = await scene();
    expect((await api.get("/", { Accept: "*/*" })).headers["content-type"]).toContain("text/html");
    expect((await api.get("/")).headers["content-type"]).toContain("text/html");
    expectProblem(await api.get("/", { Accept: "application/json" }), 404, { code: "route_not_found" });
  });

  it("leads a reader with nothing but links and forms to the file", async () => {
    const { app } = await scene();
    const home = await pageOf(app, "/", { "Accept-Language": "es" });
    const [book = ""] = linksIn(home.html, "/").filter((link) => link.endsWith("/the-deep-well"));
    const page = await pageOf(app, book);
    const action = /<form class="request"[^>]* action="([^"]*)"/.exec(page.html)?.[1] ?? "";
    const form = await app.api.call("post", new URL(action, `http://x${book}`).pathname, {
      headers: { ...BROWSER, "Content-Type": "application/x-www-form-urlencoded" },
      body: "fileType=txt&firstName=Sara&email=sara%40example.org",
    });
    expect(form.status).toBe(303);
    const ready = new URL(form.headers.location ?? "", `http://x${book}`);
    const next = await pageOf(app, ready.pathname + ready.search);
    const target = /<meta http-equiv="refresh" content="0; url=([^"]*)">/.exec(next.html)?.[1] ?? "";
    const file = await app.api.get(new URL(target, ready).pathname, BROWSER);
    expect([file.status, file.body.toString()]).toEqual([200, "Text of The Deep Well"]);
  });
});

it("the style sheet is kept for good by its hash, and small", async () => {
  const { api, app } = await scene();
  const { html } = await pageOf(app, "/library");
  const path = `/${/href="(library\/style-\w+\.css)"/.exec(html)?.[1]}`;
  const sheet = await api.get(path);
  expect(sheet.headers).toMatchObject({
    "content-type": "text/css; charset=utf-8",
    "cache-control": "public, max-age=31536000, immutable",
  });
  expect(brotliCompressSync(sheet.body).length).toBeLessThan(6000);
  const other = await api.get("/library/style-0123.css");
  expect([other.status, other.headers["cache-control"]]).toEqual([200, "no-cache"]);
  expect((await api.get("/library/logo-0123.png")).status).toBe(404);
});

it.each([
  [{}, true],
  [{ PUBLIC_SITE_URL: "https://books.example.org/" }, false],
  [{ PUBLIC_SITE_URL: "https://books.example.org/", LIBRARY: "true" }, true],
  [{ LIBRARY: "false" }, false],
])("LIBRARY decides whether there is a library: %o", async (variables, isOn) => {
  const { app, api } = await startWithAdmin(variables);
  expect((await pageOf(app, "/library")).status).toBe(isOn ? 200 : 404);
  expect((await pageOf(app, "/")).html.includes("This server is working")).toBe(!isOn);
  expect((await api.get("/library/style-0123.css")).status).toBe(200);
  if (!isOn) expectProblem(await api.get("/library/es"), 404, { code: "route_not_found" });
});

const titlesIn = (html: string) => [...html.matchAll(/<h3[^>]*>(.*?)<\/h3>/g)].map(([, title]) => title);

async function startScene(books: number) {
  const app = await startApp();
  await app.make.language("es");
  for (let number = 1; number <= books; number += 1) {
    await app.make.published(`Book ${String(number).padStart(2, "0")}`, "es");
    app.clock.advance(1000);
  }
  return { ...app, app };
}
