/** What an organisation sets is on the next response of the library's pages, as is every change of the catalogue. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { bodyOf } from "../support/client.ts";
import { BYTES, createPicture } from "../support/covers.ts";
import { linksIn, pageOf } from "../support/library-pages.ts";

const LIST = "/library/es";
const BOOK = "/library/es/books/the-deep-well";

async function scene() {
  const { app, client: admin } = await startWithAdmin();
  await app.make.language("en");
  const es = await app.make.language("es", { nativeName: "Español" });
  const { book, file } = await app.make.published("The Deep Well", "es");
  await app.make.published("A Tall Man", "es");
  const settings = (given: object) => bodyOf(admin.put("/api/admin/library", given));
  const texts = (code: string, given: object) => bodyOf(admin.put(`/api/admin/library/texts/${code}`, given));
  return { ...app, app, admin, book, file, es, settings, texts };
}

describe("the organisation's own texts, logo and colour", () => {
  it("are on the pages: name, introduction and footer", async () => {
    const { app, settings, texts } = await scene();
    await settings({ name: "Village Library" });
    expect((await pageOf(app, LIST)).html).toMatch(/<title>Español – Village Library<\/title>/);
    await texts("en", {
      introduction: "Hello <i>\n\nhttps://example.org/a?b=1&c",
      footer: "Old Street 1\nTown",
    });
    await texts("es", { name: "Biblioteca" });
    const { html } = await pageOf(app, LIST);
    expect(html).toMatch(/<title>Español – Biblioteca<\/title>/);
    expect(html).toContain("<span>Biblioteca</span>");
    expect(html).toContain('<div lang="en" dir="ltr"><p>Hello &#60;i&#62;</p>');
    expect(html).toContain('href="https://example.org/a?b=1&#38;c"');
    expect(html).toMatch(/<footer>\s*<div lang="en" dir="ltr"><p>Old Street 1<br>\n?Town<\/p>/);
    await texts("es", { introduction: "Hola" });
    expect((await pageOf(app, LIST)).html).toContain('<div class="intro"><div><p>Hola</p></div></div>');
  });

  it.each(["about", "privacy"] as const)("are pages of their own: %s", async (name) => {
    const { app, admin, texts } = await scene();
    const path = `${LIST}/${name}`;
    expect(linksIn((await pageOf(app, LIST)).html, LIST)).not.toContain(path);
    await texts("es", { [name]: "Uno <b>\n\nhttps://example.org/\njavascript:alert(1)" });
    expect(linksIn((await pageOf(app, LIST)).html, LIST)).toContain(path);
    const page = await pageOf(app, path);
    expect([page.status, page.headers["content-language"]]).toEqual([200, "es"]);
    expect(page.html).toContain("<p>Uno &#60;b&#62;</p>");
    expect(linksIn(page.html, path).join()).not.toContain("javascript");
    await bodyOf(admin.delete("/api/admin/library/texts/es"));
    expect((await pageOf(app, path)).status).toBe(404);
  });

  it("are a logo and a colour, each at an address that changes with it", async () => {
    const { app, api, admin, settings } = await scene();
    const find = async (pattern: RegExp) => `/${pattern.exec((await pageOf(app, "/library")).html)?.[1]}`;
    const style = () => find(/href="(library\/style-\w+\.css)"/);
    const logo = () => find(/src="(library\/logo-\w+\.png)"/);
    const before = await style();
    expect(await logo()).toBe("/undefined");
    await settings({ accentColor: "#ffcc00" });
    expect(await style()).not.toBe(before);
    const sheet = (await api.get(await style())).body.toString();
    expect(sheet).toContain("prefers-color-scheme:dark){:root{--accent:#ffcc00}}");
    expect(sheet).not.toMatch(/^:root\{--accent:#ffcc00\}/);
    expect((await api.get(before)).headers["cache-control"]).toBe("no-cache");
    const put = async (color: "red" | "blue") =>
      bodyOf(
        admin.call("put", "/api/admin/library/logo", {
          body: await createPicture(color, { width: 80, height: 40 }),
          headers: BYTES,
        }),
      );
    await put("red");
    const red = await logo();
    const { headers, status } = await api.get(red);
    expect([status, headers["content-type"]]).toEqual([200, "image/png"]);
    expect(headers["cache-control"]).toContain("immutable");
    await put("blue");
    expect(await logo()).not.toBe(red);
    expect((await api.get(red)).status).toBe(404);
  });
});

it("the channel that the library shows decides which books and languages there are, on every page", async () => {
  const { app, admin, es, book, settings, make } = await scene();
  const channel = await make.channel("Kids");
  await make.publish(book.id, channel.id, es.id);
  await settings({ channelId: channel.id });
  const list = await pageOf(app, LIST);
  expect(list.html).toContain("The Deep Well");
  expect(list.html).not.toContain("A Tall Man");
  expect((await pageOf(app, `${LIST}?q=tall`)).html).not.toContain("A Tall Man");
  expect((await pageOf(app, "/library/es/books/a-tall-man")).status).toBe(404);
  expect((await pageOf(app, BOOK)).status).toBe(200);
  // A ZIP has the books of all channels.
  expect((await pageOf(app, `${LIST}/all`)).status).toBe(404);
  expect(list.html).not.toContain("/all");
  const switchTo = async (isActive: 0 | 1) =>
    bodyOf(admin.put(`/api/admin/channels/${channel.id}`, { isActive }));
  await switchTo(0);
  for (const path of [LIST, BOOK, `${LIST}/new.atom`]) expect((await pageOf(app, path)).status).toBe(404);
  await switchTo(1);
  expect((await pageOf(app, BOOK)).status).toBe(200);
  const other = await make.channel("Other");
  await settings({ channelId: other.id });
  expect((await pageOf(app, LIST)).status).toBe(404);
  expect(linksIn((await pageOf(app, "/library")).html, "/library")).not.toContain(LIST);
  await settings({ channelId: null });
  expect((await pageOf(app, LIST)).html).toContain("A Tall Man");
});

it("a change of the catalogue of title, cover, file and visibility is on the next response of every page", async () => {
  const { app, admin, api, book, file, es, make } = await scene();
  const listed = async () => (await pageOf(app, LIST)).html;
  const counted = async () =>
    /<span lang="es" dir="ltr">Español<\/span> <small>(\d+)</.exec((await pageOf(app, "/library")).html)?.[1];
  expect(await counted()).toBe("2");
  const coverOf = async () =>
    /<img class="cover" src="\.\.\/([^"]*deep-well[^"]*)"/.exec(await listed())?.[1];
  const path = `/${(await coverOf())?.replaceAll("&#38;", "&")}`;
  const first = await api.get(path);
  const cover = { body: await createPicture("red", { width: 400, height: 600 }), headers: BYTES };
  await bodyOf(admin.call("put", `/api/admin/books/${book.id}/covers/es`, cover));
  const second = await api.get(path);
  expect(second.headers.etag).not.toBe(first.headers.etag);
  await bodyOf(admin.put(`/api/admin/books/${book.id}`, { titleEn: "The Dry Well" }));
  expect(await listed()).toContain("The Dry Well");
  expect((await pageOf(app, BOOK)).html).toContain(">The Dry Well</h1>");
  const mexican = await make.language("es-MX", { parentId: es.id });
  expect((await pageOf(app, "/library/es-MX")).html).toContain("The Dry Well");
  await make.override(mexican.id, book.id, false);
  expect((await pageOf(app, "/library/es-MX")).html).not.toContain("The Dry Well");
  expect((await pageOf(app, "/library/es-MX/books/the-deep-well")).status).toBe(404);
  expect((await pageOf(app, BOOK)).status).toBe(200);
  await bodyOf(admin.delete(`/api/admin/books/${book.id}/files/${file.id}`));
  expect(await listed()).not.toContain("The Dry Well");
  expect(await counted()).toBe("1");
  expect((await pageOf(app, BOOK)).status).toBe(404);
  await bodyOf(admin.put(`/api/admin/languages/${es.id}`, { isActive: 0 }));
  expect((await pageOf(app, LIST)).status).toBe(404);
});
