/** Addresses of the library's pages that a book or a language had before: they lead to the present ones for a year. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { pageOf, sendForm } from "../support/library-pages.ts";

const YEAR = 365 * 86_400_000;
const READER = { firstName: "Sara", email: "sara@example.org" };

async function scene() {
  const { app, client: admin } = await startWithAdmin();
  const language = await app.make.language("es");
  const { book } = await app.make.published("The Deep Well", "es");
  await app.make.textFile(book.id, "ar", "x");
  const rename = async (id: string, slug: string) =>
    expect((await admin.put(`/api/admin/books/${id}`, { slug })).status).toBe(200);
  const recode = async (id: number, code: string) =>
    expect((await admin.put(`/api/admin/languages/${id}`, { code })).status).toBe(200);
  return { app, admin, language, book, make: app.make, rename, recode };
}
type Scene = Awaited<ReturnType<typeof scene>>;

/** The status, and where it leads. */
async function follow({ app }: Scene, path: string) {
  const { status, headers } = await pageOf(app, path);
  if (headers.location === undefined) return [status];
  const { pathname, search } = new URL(headers.location, `http://books.test${path}`);
  return [status, pathname + search];
}

describe("the former slug of a book", () => {
  it("leads to the present one, in each language, with what else the address says", async () => {
    const world = await scene();
    const { book, rename, app } = world;
    await rename(book.id, "the-well");
    await rename(book.id, "a-deep-well");
    for (const former of ["the-deep-well", "the-well"]) {
      expect(await follow(world, `/library/es/books/${former}`)).toEqual([
        308,
        "/library/es/books/a-deep-well",
      ]);
      expect(await follow(world, `/library/ar/books/${former}?utm_source=mail`)).toEqual([
        308,
        "/library/ar/books/a-deep-well?utm_source=mail",
      ]);
      const sent = await sendForm(app, `/library/es/books/${former}`, READER);
      expect([sent.status, sent.next]).toEqual([308, "/library/es/books/a-deep-well"]);
    }
    expect(await follow(world, "/library/es/books/a-deep-well")).toEqual([200]);
  });

  it("leads a reader on who has the page that begins the download", async () => {
    const world = await scene();
    const { next } = await sendForm(world.app, "/library/es/books/the-deep-well", READER);
    expect(await follow(world, next)).toEqual([200]);
    await world.rename(world.book.id, "the-well");
    const [status, target = ""] = await follow(world, next);
    expect([status, target]).toEqual([308, next.replace("the-deep-well", "the-well")]);
    expect(await follow(world, String(target))).toEqual([200]);
    expect(await follow(world, "/library/es/books/the-deep-well/ready?token=x")).toEqual([404]);
  });

  it("means the book that has it now, published or not, and then the last one that had it", async () => {
    const world = await scene();
    const { book, rename, make, admin } = world;
    await rename(book.id, "the-well");
    const other = await make.book("Another", { slug: "the-deep-well" });
    expect(await follow(world, "/library/es/books/the-deep-well")).toEqual([404]);
    await rename(other.id, "another");
    expect(await follow(world, "/library/es/books/the-deep-well")).toEqual([404]);
    await make.textFile(other.id, "es", "x");
    expect(await follow(world, "/library/es/books/the-deep-well")).toEqual([
      308,
      "/library/es/books/another",
    ]);
    await rename(book.id, "the-deep-well");
    expect(await follow(world, "/library/es/books/the-deep-well")).toEqual([200]);
    expect((await admin.delete(`/api/admin/books/${other.id}`)).status).toBe(200);
    expect(await follow(world, "/library/es/books/another")).toEqual([404]);
  });

  it("leads nowhere for a book that isn't published, and after a year", async () => {
    const world = await scene();
    const { app, admin, book, rename } = world;
    await rename(book.id, "the-well");
    expect((await admin.delete(`/api/admin/books/${book.id}`)).status).toBe(200);
    const { html, status } = await pageOf(app, "/library/es/books/the-deep-well");
    expect(status).toBe(404);
    expect(html).not.toContain("the-well");
    expect((await admin.post(`/api/admin/books/${book.id}/restore`)).status).toBe(200);
    app.clock.advance(YEAR);
    expect(await follow(world, "/library/es/books/the-deep-well")).toEqual([
      308,
      "/library/es/books/the-well",
    ]);
    app.clock.advance(1);
    expect(await follow(world, "/library/es/books/the-deep-well")).toEqual([404]);
  });
});

describe("the former code of a language", () => {
  it("leads to the present one, for each page", async () => {
    const world = await scene();
    const { app, language, recode } = world;
    const { next } = await sendForm(app, "/library/es/all", READER);
    await recode(language.id, "es-419");
    for (const rest of ["", "/books/the-deep-well", "/all", "/new.atom", "/about", "?q=well&order=newest"])
      expect(await follow(world, `/library/es${rest}`)).toEqual([308, `/library/es-419${rest}`]);
    expect(await follow(world, "/library/ES?utm_medium=x")).toEqual([308, "/library/es-419?utm_medium=x"]);
    expect(await follow(world, next)).toEqual([308, next.replace("/es/", "/es-419/")]);
  });

  it("means the language that has it now, also without books", async () => {
    const world = await scene();
    const { language, recode, make } = world;
    await recode(language.id, "es-419");
    await make.language("es");
    expect(await follow(world, "/library/es")).toEqual([404]);
    expect(await follow(world, "/library/es-419")).toEqual([200]);
  });

  it("leads nowhere after a year, and to no language that is inactive", async () => {
    const world = await scene();
    const { app, admin, language, recode } = world;
    await recode(language.id, "es-419");
    const path = `/api/admin/languages/${language.id}`;
    expect((await admin.put(path, { isActive: 0 })).status).toBe(200);
    expect(await follow(world, "/library/es")).toEqual([404]);
    expect((await admin.put(path, { isActive: 1 })).status).toBe(200);
    expect(await follow(world, "/library/es")).toEqual([308, "/library/es-419"]);
    app.clock.advance(YEAR + 1);
    expect(await follow(world, "/library/es")).toEqual([404]);
  });
});

it("forgets former addresses a year after they were left", async () => {
  const { app, book, language, rename, recode } = await scene();
  await rename(book.id, "the-well");
  await recode(language.id, "es-419");
  const count = async () => {
    const { read } = app.container.database;
    const slugs = await read.selectFrom("former_slugs").selectAll().execute();
    return slugs.length + (await read.selectFrom("former_codes").selectAll().execute()).length;
  };
  app.clock.advance(YEAR);
  await app.container.retention.run();
  expect(await count()).toBe(2);
  app.clock.advance(1);
  await app.container.retention.run();
  expect(await count()).toBe(0);
});

it("keeps the parameters of an address that isn't in its canonical form", async () => {
  const world = await scene();
  expect(await follow(world, "/library/ES?q=well&page=2&utm_source=a%26b")).toEqual([
    308,
    "/library/es?q=well&page=2&utm_source=a%26b",
  ]);
});
