/** What programs read of the library: the feed of new books, the sitemap and robots.txt. */
import { SaxesParser } from "saxes";
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { bodyOf } from "../support/client.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { pageOf } from "../support/library-pages.ts";

const FEED = "/library/es/new.atom";
const BASE = { PUBLIC_BASE_URL: "https://books.example.org/shelf" };

async function scene(variables: Record<string, string> = {}) {
  const { app, client: admin } = await startWithAdmin(variables);
  const es = await app.make.language("es", { nativeName: "Español" });
  const { book, file } = await app.make.published("The Deep Well", "es");
  return { ...app, app, admin, book, file, es };
}

interface Element {
  name: string;
  attributes: Record<string, string>;
  text: string;
}

/** The elements in order; throws if the document isn't well-formed. */
function parse(xml: string): Element[] {
  const elements: Element[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes: Object.fromEntries(Object.entries(attributes)), text: "" };
    elements.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    const current = open.at(-1);
    if (current) current.text += text;
  });
  parser.on("closetag", () => void open.pop());
  parser.write(xml).close();
  return elements;
}

const textsOf = (elements: Element[], name: string) =>
  elements.filter((element) => element.name === name).map(({ text }) => text);

const linksOf = (elements: Element[]) =>
  elements.filter(({ name }) => name === "link").map(({ attributes: { rel, href } }) => [rel, href]);

async function xmlOf(app: Parameters<typeof pageOf>[0], path: string) {
  const { html, status, headers } = await pageOf(app, path, { Accept: "*/*" });
  expect(status, path).toBe(200);
  return { elements: parse(html), headers, text: html };
}

describe("GET /library/{code}/new.atom", () => {
  it("is a feed of the editions in the language, the newest first", async () => {
    const { app, admin, book, make } = await scene(BASE);
    await bodyOf(
      admin.post(`/api/admin/books/${book.id}/translations`, {
        languageCode: "es",
        title: "El pozo <& profundo>",
        description: "Un\npozo & más",
      }),
      201,
    );
    app.clock.advance(60_000);
    await make.published("A Tall Man", "es");
    const { elements, headers } = await xmlOf(app, FEED);
    expect(headers).toMatchObject({
      "content-type": "application/atom+xml; charset=utf-8",
      "content-language": "es",
      vary: "Accept-Encoding",
    });
    expect(elements[0]).toMatchObject({ name: "feed", attributes: { "xml:lang": "es" } });
    expect(textsOf(elements, "title").slice(1)).toEqual(["A Tall Man", "El pozo <& profundo>"]);
    expect(textsOf(elements, "summary")).toEqual(["Un pozo & más"]);
    expect(textsOf(elements, "updated")).toEqual([
      "2026-03-01T12:01:00.000Z",
      "2026-03-01T12:01:00.000Z",
      "2026-03-01T12:00:00.000Z",
    ]);
    const at = "https://books.example.org/shelf/library/es";
    expect(linksOf(elements)).toEqual([
      ["self", `${at}/new.atom`],
      ["alternate", at],
      ["alternate", `${at}/books/a-tall-man`],
      ["alternate", `${at}/books/the-deep-well`],
    ]);
    const ids = textsOf(elements, "id");
    expect(new Set(ids).size).toBe(3);
    for (const id of ids)
      expect(id).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it("has a new translation of an old book as news, and not a replaced file or another text", async () => {
    const { app, admin, book, file, make } = await scene();
    await make.published("A Tall Man", "ar");
    app.clock.advance(60_000);
    await make.textFile(book.id, "ar", "x");
    const arabic = await xmlOf(app, "/library/ar/new.atom");
    expect(textsOf(arabic.elements, "title").slice(1)).toEqual(["The Deep Well", "A Tall Man"]);
    const before = await xmlOf(app, FEED);
    app.clock.advance(60_000);
    const replaced = await admin.upload("put", `/api/admin/books/${book.id}/files/${file.id}`, {
      file: { bytes: Buffer.from("other"), name: "book.txt" },
    });
    expect(replaced.status).toBe(200);
    expect((await xmlOf(app, FEED)).text).toBe(before.text);
    await bodyOf(admin.put(`/api/admin/books/${book.id}`, { titleEn: "The Dry Well" }));
    const after = await xmlOf(app, FEED);
    expect(textsOf(after.elements, "title")[1]).toBe("The Dry Well");
    for (const name of ["id", "updated", "published"])
      expect(textsOf(after.elements, name)).toEqual(textsOf(before.elements, name));
    const sub = await make.language("es-MX", {
      parentId: (await bodyOf(admin.get("/api/admin/languages"))).languages[0].id,
    });
    const mexican = await xmlOf(app, `/library/${sub.code}/new.atom`);
    expect(textsOf(mexican.elements, "id")).not.toEqual(textsOf(after.elements, "id"));
  });

  it("has at most 50 editions, and none that isn't published on the channel that is shown", async () => {
    const { app, admin, book, es, make } = await scene();
    for (let number = 1; number <= 50; number += 1) {
      app.clock.advance(1000);
      await make.published(`Book ${number}`, "es");
    }
    const titles = textsOf((await xmlOf(app, FEED)).elements, "title").slice(1);
    expect([titles.length, titles[0], titles.at(-1)]).toEqual([50, "Book 50", "Book 1"]);
    const channel = await make.channel("Kids");
    await make.publish(book.id, channel.id, es.id);
    await bodyOf(admin.put("/api/admin/library", { channelId: channel.id }));
    const shown = await xmlOf(app, FEED);
    expect(textsOf(shown.elements, "title").slice(1)).toEqual(["The Deep Well"]);
    expect(linksOf(shown.elements).map(([, href = ""]) => new URL(href, `http://x${FEED}`).pathname)).toEqual(
      [FEED, "/library/es", "/library/es/books/the-deep-well"],
    );
  });

  it("is kept until a change, and named by the pages of its language", async () => {
    const { app, admin, book } = await scene();
    const { headers } = await xmlOf(app, FEED);
    const again = await pageOf(app, FEED, { "If-None-Match": headers.etag ?? "" });
    expect(again.status).toBe(304);
    const list = await pageOf(app, "/library/es");
    const [, href = ""] =
      /<link rel="alternate" type="application\/atom\+xml" [^>]*href="([^"]*)"/.exec(list.html) ?? [];
    expect(new URL(href, "http://x/library/es").pathname).toBe(FEED);
    expect((await pageOf(app, "/library")).html).not.toContain("atom");
    await bodyOf(admin.delete(`/api/admin/books/${book.id}`));
    expect((await pageOf(app, FEED)).status).toBe(404);
    expect((await pageOf(app, "/library/xx/new.atom")).status).toBe(404);
  });

  it("redirects to the canonical code", async () => {
    const { app } = await scene();
    const { status, headers } = await pageOf(app, "/library/ES/new.atom?utm_source=x");
    expect(status).toBe(308);
    expect(new URL(headers.location ?? "", "http://x/library/ES/new.atom").pathname).toBe(FEED);
  });
});

describe("GET /sitemap.xml", () => {
  it("has the absolute addresses of all pages, with the times of changes", async () => {
    const { app, admin, book, make } = await scene(BASE);
    await make.language("ar", { customDomain: "kutub.example.net" });
    await make.textFile(book.id, "ar", "x");
    await make.language("am");
    app.clock.advance(60_000);
    await bodyOf(admin.put(`/api/admin/books/${book.id}`, { titleEn: "The Dry Well" }));
    const { elements, headers } = await xmlOf(app, "/sitemap.xml");
    expect(headers["content-type"]).toBe("application/xml; charset=utf-8");
    expect(elements[0]).toMatchObject({
      name: "urlset",
      attributes: { xmlns: "http://www.sitemaps.org/schemas/sitemap/0.9" },
    });
    const at = "https://books.example.org/shelf/library";
    expect(textsOf(elements, "loc").sort()).toEqual([
      at,
      `${at}/es`,
      `${at}/es/books/the-deep-well`,
      "https://kutub.example.net/library/ar",
      "https://kutub.example.net/library/ar/books/the-deep-well",
    ]);
    expect(textsOf(elements, "lastmod")).toEqual(Array.from({ length: 2 }, () => "2026-03-01T12:01:00.000Z"));
    expect((await xmlOf(app, "/sitemaps/1.xml")).text).toBe((await xmlOf(app, "/sitemap.xml")).text);
    for (const path of ["/sitemaps/2.xml", "/sitemaps/0.xml", "/sitemaps/x.xml", "/sitemaps/1e3.xml"])
      expectProblem(await app.api.get(path), 404, { code: "not_found" });
    await bodyOf(admin.delete(`/api/admin/books/${book.id}`));
    expect(textsOf((await xmlOf(app, "/sitemap.xml")).elements, "loc")).toEqual([at]);
  });

  it("doesn't exist without PUBLIC_BASE_URL, nor without a library", async () => {
    const { app } = await scene();
    for (const path of ["/sitemap.xml", "/sitemaps/1.xml"])
      expectProblem(await app.api.get(path, { Host: "forged.example" }), 404, { code: "not_found" });
    const { app: off } = await scene({ LIBRARY: "false", ...BASE });
    for (const path of ["/sitemap.xml", "/robots.txt", FEED])
      expectProblem(await off.api.get(path), 404, { code: "route_not_found" });
  });
});

it.each([
  [{}, ""],
  [BASE, "\nSitemap: https://books.example.org/shelf/sitemap.xml\n"],
  [{ PUBLIC_BASE_URL: "https://books.example.org/" }, "\nSitemap: https://books.example.org/sitemap.xml\n"],
])("GET /robots.txt permits everything but downloads and the console: %o", async (variables, sitemap) => {
  const { app } = await scene(variables);
  const { status, headers, html } = await pageOf(app, "/robots.txt", { Host: "forged.example" });
  expect([status, headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(html).toBe(`User-agent: *\nDisallow: /api/download\nDisallow: /console\n${sitemap}`);
});
