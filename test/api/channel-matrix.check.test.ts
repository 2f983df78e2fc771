/** The publication matrix: books against channels in a language. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { createBookRow, setActive, writeRows } from "../support/catalogue-rows.ts";
import type { Client } from "../support/client.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { idOf } from "../support/ids.ts";

const MATRIX = "/api/admin/channels/matrix";

async function start() {
  const { app, client } = await startWithAdmin();
  const spanish = await app.make.language("es");
  const matrix = async (code: string) => (await client.get(`${MATRIX}?languageCode=${code}`)).body;
  return { ...app, app, client, spanish, matrix };
}

/** Two channels, of which the second is switched off and comes first, and two books in no order of age. */
async function scene() {
  const started = await start();
  const { make } = started;
  const kids = await make.channel("Kids", { sortOrder: 2 });
  const closed = await make.channel("Closed", { sortOrder: 1, isActive: 0 });
  const well = await make.book("Well", { sortOrder: 5 });
  const tree = await make.book("Tree", { sortOrder: 4 });
  return { ...started, kids, closed, well, tree };
}

describe("the publication matrix", () => {
  it("has every channel and every active book in order, and whether each book is published on each channel", async () => {
    const { app, make, kids, closed, well, tree, spanish, matrix } = await scene();
    const archived = await make.book("Archived");
    await setActive(app, archived.id, 0);
    const arabic = await make.language("ar");
    await make.publish(well.id, kids.id, spanish.id);
    await make.publish(tree.id, closed.id, spanish.id);
    await make.publish(tree.id, kids.id, arabic.id);
    const row = (book: { id: string }, titleEn: string, sortOrder: number, on: object) => ({
      id: book.id,
      titleEn,
      sortOrder,
      publications: { [kids.id]: false, [closed.id]: false, ...on },
    });
    expect(await matrix("es")).toEqual({
      channels: [
        { id: closed.id, name: "Closed", slug: "closed" },
        { id: kids.id, name: "Kids", slug: "kids" },
      ],
      books: [row(tree, "Tree", 4, { [closed.id]: true }), row(well, "Well", 5, { [kids.id]: true })],
    });
    expect((await matrix("ar")).books).toEqual([
      row(tree, "Tree", 4, { [kids.id]: true }),
      row(well, "Well", 5, {}),
    ]);
  });

  it("accepts the language by code in any case, by id, or by both", async () => {
    const { client, make, spanish, kids, well, matrix } = await scene();
    await make.publish(well.id, kids.id, spanish.id);
    const { id } = spanish;
    for (const query of [`languageId=${id}`, "languageCode=ES", `languageId=${id}&languageCode=es`]) {
      const response = await client.get(`${MATRIX}?${query}`);
      expect([response.status, response.body], query).toEqual([200, await matrix("es")]);
    }
  });

  it("shows inherited publications of a sub-language, marked as inherited", async () => {
    const { client, make, spanish, kids, closed, well, tree, matrix } = await scene();
    const mexican = await make.language("es-MX", { parentId: spanish.id });
    await make.publish(well.id, kids.id, spanish.id);
    await make.publish(tree.id, kids.id, mexican.id);
    await make.publish(tree.id, closed.id, mexican.id);
    await make.publish(tree.id, closed.id, spanish.id);
    const both = { [kids.id]: true, [closed.id]: true };
    const rows = (await matrix("es-MX")).books;
    expect(rows).toMatchObject([
      { titleEn: "Tree", publications: both, inherited: [closed.id] },
      { titleEn: "Well", publications: { [kids.id]: true, [closed.id]: false }, inherited: [kids.id] },
    ]);
    expect((await matrix("es")).books).toMatchObject([
      { publications: { [kids.id]: false, [closed.id]: true } },
      { publications: { [kids.id]: true, [closed.id]: false } },
    ]);
    // Without its parent it has only its own.
    await client.put(`/api/admin/languages/${mexican.id}`, { parentId: null });
    const alone = (await matrix("es-MX")).books;
    expect(alone[0].publications).toEqual(both);
    expect(alone[1].publications).toEqual({ [kids.id]: false, [closed.id]: false });
    expect("inherited" in alone[0]).toBe(false);
  });

  it("has a path that isn't taken for a channel's id", async () => {
    const { client } = await start();
    const response = await client.put(MATRIX, { name: "Matrix" });
    expectProblem(response, 405);
    expect(response.headers.allow).toBe("HEAD, GET, OPTIONS");
  });
});

describe("a page of the publication grid", () => {
  const grid = (client: Client, query: string) => client.get(`${MATRIX}?fields=published&${query}`);

  it("has a flag for each channel in their order, and whether readers of the language get a file", async () => {
    const { app, client, make, kids, closed, well, tree, spanish } = await scene();
    const archived = await make.book("Archived");
    await setActive(app, archived.id, 0);
    const open = await make.channel("Open", { sortOrder: 3 });
    await make.publish(well.id, kids.id, spanish.id);
    await make.publish(well.id, open.id, spanish.id);
    await make.publish(tree.id, closed.id, spanish.id);
    await make.textFile(well.id, "es", "Text");
    expect((await grid(client, "languageCode=es")).body).toEqual({
      channels: [
        { id: closed.id, name: "Closed", slug: "closed" },
        { id: kids.id, name: "Kids", slug: "kids" },
        { id: open.id, name: "Open", slug: "open" },
      ],
      books: [
        { bookId: tree.id, titleEn: "Tree", published: "100", available: 0 },
        { bookId: well.id, titleEn: "Well", published: "011", available: 1 },
      ],
      pagination: { page: 1, limit: 200, total: 2, totalPages: 1 },
    });
  });

  it("marks what a sub-language inherits, and takes files of its parent into account", async () => {
    const { client, make, spanish, kids, closed, well, tree } = await scene();
    const mexican = await make.language("es-MX", { parentId: spanish.id });
    await make.publish(well.id, kids.id, spanish.id);
    await make.publish(tree.id, kids.id, mexican.id);
    await make.publish(tree.id, closed.id, mexican.id);
    await make.publish(tree.id, closed.id, spanish.id);
    await make.textFile(tree.id, "es", "Text");
    expect((await grid(client, `languageId=${mexican.id}`)).body.books).toEqual([
      { bookId: tree.id, titleEn: "Tree", published: "11", inherited: "10", own: "11", available: 1 },
      { bookId: well.id, titleEn: "Well", published: "01", inherited: "01", own: "00", available: 0 },
    ]);
    expect((await grid(client, "languageCode=es")).body.books).toEqual([
      { bookId: tree.id, titleEn: "Tree", published: "10", available: 1 },
      { bookId: well.id, titleEn: "Well", published: "01", available: 0 },
    ]);
  });

  it("has the title in the language, or else in its parent", async () => {
    const { client, make, well, tree, spanish } = await scene();
    await make.language("es-MX", { parentId: spanish.id });
    await make.language("ar");
    const translate = (id: string, languageCode: string, title: string) =>
      client.post(`/api/admin/books/${id}/translations`, { languageCode, title });
    await translate(well.id, "es", "El pozo");
    await translate(tree.id, "es", "El árbol");
    await translate(tree.id, "es-MX", "El arbolito");
    const titles = async (code: string) => {
      const { body } = await grid(client, `languageCode=${code}`);
      return body.books.map((book: object) => {
        const { titleEn, title, titleLanguageCode } = {
          title: "",
          titleLanguageCode: "",
          titleEn: "",
          ...book,
        };
        return [titleEn, title, titleLanguageCode];
      });
    };
    const own = ["Well", "El pozo", "es"];
    expect(await titles("es")).toEqual([["Tree", "El árbol", "es"], own]);
    expect(await titles("es-MX")).toEqual([["Tree", "El arbolito", "es-MX"], own]);
    expect(await titles("ar")).toEqual([
      ["Tree", "", ""],
      ["Well", "", ""],
    ]);
  });

  it("is one of all pages, of books with all words of a search", async () => {
    const { client, make } = await start();
    await make.language("en");
    const titles = ["Deep well", "Tall tree", "Wells", "Well of the tree"];
    for (const titleEn of titles)
      await make.book(titleEn, { translations: [{ languageCode: "en", title: "Añejo" }] });
    const page = async (query: string) => {
      const { books, pagination } = (await grid(client, `languageCode=es&${query}`)).body;
      return [books.map((book: { titleEn: string }) => book.titleEn), pagination];
    };
    expect(await page("limit=3")).toEqual([
      titles.slice(0, 3),
      { page: 1, limit: 3, total: 4, totalPages: 2 },
    ]);
    expect(await page("limit=3&page=2")).toEqual([
      titles.slice(3),
      { page: 2, limit: 3, total: 4, totalPages: 2 },
    ]);
    expect(await page("limit=3&page=3")).toEqual([[], { page: 3, limit: 3, total: 4, totalPages: 2 }]);
    expect(await page("search=WELL%20tree")).toEqual([
      ["Well of the tree"],
      { page: 1, limit: 200, total: 1, totalPages: 1 },
    ]);
    expect((await page("search=anejo"))[0]).toEqual(titles);
    expect(await page("search=none&page=2")).toEqual([[], { page: 2, limit: 200, total: 0, totalPages: 0 }]);
    expect((await page("limit=5001"))[1].limit).toBe(5000);
  });

  it("is one of no channels or no books, too", async () => {
    const { client, make } = await start();
    const read = async () => (await grid(client, "languageCode=es")).body;
    expect(await read()).toMatchObject({ channels: [], books: [], pagination: { total: 0 } });
    await make.book("Well");
    expect((await read()).books).toMatchObject([{ published: "", available: 0 }]);
  });
});

describe("the publication matrix as CSV", () => {
  const EXPORT = `${MATRIX}/export`;
  const CREDITS =
    "bookAuthors,bookTags,bookSeries,bookSeriesPosition,bookContributors,bookPublisher,bookLicense,bookIsbn";
  const NONE = ",".repeat(8);

  it("has a row for each book and a column for each channel, inherited publications included", async () => {
    const { client, make, spanish, kids, closed, well, tree } = await scene();
    const mexican = await make.language("es-MX", { parentId: spanish.id });
    const list = await make.book('A "List", of sorts', { sortOrder: 6 });
    await make.publish(well.id, kids.id, spanish.id);
    await make.publish(tree.id, closed.id, mexican.id);
    const response = await client.get(`${EXPORT}?languageCode=es-mx`);
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": "attachment; filename=publications-es-MX-2026-03-01.csv",
      "cache-control": "no-store",
    });
    expect(response.body.toString()).toBe(
      [
        `\u{feff}bookId,bookSlug,titleEn,sortOrder,closed,kids,${CREDITS}`,
        `${tree.id},tree,Tree,4,true,false${NONE}`,
        `${well.id},well,Well,5,false,true${NONE}`,
        `${list.id},a-list-of-sorts,"A ""List"", of sorts",6,false,false${NONE}`,
        "",
      ].join("\r\n"),
    );
  });

  it("contains only the header if there are no books", async () => {
    const { client, make } = await start();
    await make.channel("Slug");
    const response = await client.get(`${EXPORT}?languageCode=es&bom=0`);
    expect(response.body.toString()).toBe(`bookId,bookSlug,titleEn,sortOrder,slug,${CREDITS}\r\n`);
  });

  it("ends each row with the credits of the book in the language or its parent", async () => {
    const { client, make, spanish } = await start();
    await make.language("es-MX", { parentId: spanish.id });
    await make.language("ar");
    const edition = {
      authors: ["=Ana"],
      contributors: [{ name: "Ben", role: "translator" }, { name: "Chen" }],
      publisher: "Village Press",
      license: "CC-BY",
      isbn: "316148410X",
    };
    await make.book("Well", {
      authors: ["Núñez, Ana", "深井"],
      tags: ["one", "two"],
      series: { name: "Wells", position: 1.5 },
      translations: [{ languageCode: "es", title: "Pozo", ...edition }],
    });
    const exported = async (code: string) => {
      const text = (await client.get(`${EXPORT}?languageCode=${code}`)).body.toString();
      return text.split("\r\n")[1]?.split(",1,")[1];
    };
    const inSpanish = `'=Ana,one; two,Wells,1.5,Ben (translator); Chen,Village Press,CC-BY,9783161484100`;
    expect(await exported("es")).toBe(inSpanish);
    expect(await exported("es-MX")).toBe(inSpanish);
    expect(await exported("ar")).toBe('"Núñez, Ana; 深井",one; two,Wells,1.5,,,,');
  });

  it("has all pages of books", async () => {
    const { app, client } = await start();
    await writeRows(app, (db) =>
      db
        .insertInto("books")
        .values(Array.from({ length: 1001 }, (_, number) => createBookRow(idOf(number), number)))
        .execute(),
    );
    const rows = (await client.get(`${EXPORT}?languageCode=es`)).body.toString().trim().split("\r\n");
    expect(rows).toHaveLength(1002);
    expect(rows.at(-1)).toContain("Book 1000");
    expect((await client.get(`${MATRIX}?languageCode=es`)).body.books).toHaveLength(1001);
  });
});
