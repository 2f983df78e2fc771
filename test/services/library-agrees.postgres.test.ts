/** A change at one instance is on every page of the library at another one, in its next response. */
import { expect, it } from "vitest";
import { bodyOf } from "../support/client.ts";
import { BYTES, createPicture, putCover } from "../support/covers.ts";
import { startInstances } from "../support/instances.ts";
import { pageOf } from "../support/library-pages.ts";
import { linkTo } from "../support/reader.ts";

const BOOK = "/library/es/books/the-deep-well";
const COVER = "/api/books/the-deep-well/cover?languageCode=es&width=160";

async function scene() {
  const [one, another] = await startInstances({ PUBLIC_BASE_URL: "https://books.example.org" });
  await one.make.language("en");
  const es = await one.make.language("es");
  const { book } = await one.make.published("The Deep Well", "es");
  const kids = await one.make.channel("Kids");
  const { book: tall } = await one.make.published("A Tall Man", "es");
  await one.make.publish(tall.id, kids.id, es.id);
  const sub = await one.make.language("es-MX", { parentId: es.id });
  const link = await linkTo(one.api, { slug: book.slug, languageCode: "es" });
  one.clock.advance(600_000);
  another.clock.advance(600_000);
  return { one, another, es, sub, book, tall, kids, admin: await one.admin(), link };
}

/** What each page shows that a change of the catalogue or the settings can change. */
async function pagesAt(instance: Parameters<typeof pageOf>[0], link: string) {
  const paths = ["/library", "/library/es", "/library/es-MX", "/library/es?q=well", BOOK, "/library/es/all"];
  const more = ["/library/es/about", "/library/es/new.atom", "/sitemap.xml", COVER, link];
  const pages: Record<string, string> = {};
  for (const path of [...paths, ...more]) {
    const { status, html } = await pageOf(instance, path);
    // Each request has its own number.
    pages[path] = `${status} ${html.replace(/[0-9a-f]{8}-[0-9a-f-]{27}(?=<\/span><\/small>)/, "")}`;
  }
  return pages;
}

it("of a title, a cover, a publication, a visibility, what is active, and the settings of the library", async () => {
  const { one, another, es, sub, book, tall, kids, admin, link } = await scene();
  const put = (path: string, body: object) => bodyOf(admin.put(`/api/admin/${path}`, body));
  const picture = await createPicture("red", { width: 80, height: 40 });
  const changes: Record<string, [() => Promise<unknown>, string[]]> = {
    title: [
      () => put(`books/${book.id}`, { titleEn: "The Dry Well" }),
      ["/library/es", BOOK, "/library/es/new.atom"],
    ],
    cover: [async () => putCover(admin, book.id, "es", await createPicture("red")), [COVER]],
    visibility: [() => one.make.override(sub.id, tall.id, false), ["/library/es-MX", "/library"]],
    name: [() => put("library", { name: "Village Library" }), ["/library", "/library/es", BOOK, link]],
    colour: [() => put("library", { accentColor: "#aa0000" }), ["/library/es", BOOK, link]],
    logo: [
      () => bodyOf(admin.call("put", "/api/admin/library/logo", { body: picture, headers: BYTES })),
      ["/library/es", BOOK, link],
    ],
    texts: [
      () => put("library/texts/es", { about: "Quiénes somos" }),
      ["/library/es/about", "/library/es", BOOK],
    ],
    form: [() => put("library", { contactFields: { phone: "required" } }), [BOOK, "/library/es/all"]],
    channel: [
      () => put("library", { channelId: kids.id }),
      ["/library/es", BOOK, "/sitemap.xml", "/library"],
    ],
    publication: [() => one.make.publish(book.id, kids.id, es.id), ["/library/es", BOOK, "/sitemap.xml"]],
    "channel that is inactive": [
      () => put(`channels/${kids.id}`, { isActive: 0 }),
      ["/library/es", "/library"],
    ],
    "all channels": [() => put("library", { channelId: null }), ["/library/es", "/library"]],
    "inactive book": [
      () => bodyOf(admin.delete(`/api/admin/books/${tall.id}`)),
      ["/library/es", "/sitemap.xml"],
    ],
    "inactive language": [
      () => put(`languages/${es.id}`, { isActive: 0 }),
      ["/library", "/library/es", BOOK],
    ],
  };
  let before = await pagesAt(another, link);
  for (const [name, [change, changed]] of Object.entries(changes)) {
    await change();
    const after = await pagesAt(another, link);
    for (const path of changed) expect(after[path], `${name}: ${path}`).not.toBe(before[path]);
    expect(after, name).toEqual(await pagesAt(one, link));
    before = after;
  }
});
