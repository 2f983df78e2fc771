/** What is known of books and their editions: authors, tags, series, contributors, publisher, license and ISBN. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { listErrors, startBulk } from "../support/bulk.ts";

const BOOKS = "/api/admin/books";

const OF_BOOK = {
  authors: ["Ana Núñez", "深井 一郎"],
  tags: ["folk tales", "wells"],
  series: { name: "Tales of the Village", position: 1.5 },
};
const OF_EDITION = {
  authors: ["Ana Nuñez de la Fuente"],
  contributors: [
    { name: "Ben Okoro", role: "translator" },
    { name: "Chen Wei", role: "" },
  ],
  publisher: "Village Press",
  license: "CC-BY",
  isbn: "9783161484100",
};
const NO_EDITION = { authors: [], contributors: [], publisher: null, license: null, isbn: null };

/** A book with all of it in Spanish, Mexican Spanish and Arabic, each with a file. */
async function scene() {
  const { app, client, make } = await startWithAdmin();
  const spanish = await make.language("es");
  await make.language("es-MX", { parentId: spanish.id });
  await make.language("ar");
  const book = await make.book("The Deep Well", {
    ...OF_BOOK,
    translations: [{ languageCode: "es", title: "El pozo", ...OF_EDITION, isbn: "3-16-148410-X" }],
  });
  for (const code of ["es", "ar"]) await make.textFile(book.id, code, code);
  const path = `${BOOKS}/${book.id}`;
  const details = async () => (await client.get(path)).body;
  return { ...app, client, book, path, details };
}

describe("the credits of a book", () => {
  it("are stored as given, and returned in the list and the details", async () => {
    const { client, details, book } = await scene();
    expect(book).toMatchObject(OF_BOOK);
    const { book: detailed, translations } = await details();
    expect(detailed).toEqual(book);
    expect(translations).toMatchObject([OF_EDITION]);
    expect((await client.get(BOOKS)).body.books).toMatchObject([OF_BOOK]);
  });

  it("stay if others change, and are removed by an empty list or by null", async () => {
    const { client, path, details } = await scene();
    const put = async (given: object) => (await client.put(path, given)).body.book;
    expect(await put({ titleEn: "Well" })).toMatchObject(OF_BOOK);
    expect(await put({ tags: ["one"], series: { name: " Wells " } })).toMatchObject({
      authors: OF_BOOK.authors,
      tags: ["one"],
      series: { name: "Wells", position: null },
    });
    expect(await put({ authors: [], tags: [], series: null })).toMatchObject({
      authors: [],
      tags: [],
      series: null,
    });
    expect((await details()).translations).toMatchObject([OF_EDITION]);
  });

  it("are in the audit log as values", async () => {
    const app = await scene();
    await app.client.put(app.path, { authors: ["Ana"], series: null });
    expect((await readAuditLog(app)).at(-1)?.changes).toEqual({
      authors: { before: OF_BOOK.authors, after: ["Ana"] },
      series: { before: OF_BOOK.series, after: null },
    });
    const { length } = await readAuditLog(app);
    await app.client.put(app.path, { authors: ["Ana"], series: null });
    expect(await readAuditLog(app)).toHaveLength(length);
  });
});

describe("the credits of a translation", () => {
  it("are in the audit log as values, unless nothing changes", async () => {
    const app = await scene();
    const put = (given: object) =>
      app.client.post(`${app.path}/translations`, { languageCode: "es", title: "El pozo", ...given });
    const { length } = await readAuditLog(app);
    await put(OF_EDITION);
    expect(await readAuditLog(app)).toHaveLength(length);
    await put({ contributors: [], license: "MIT" });
    expect((await readAuditLog(app)).at(-1)?.changes).toEqual({
      contributors: { before: OF_EDITION.contributors, after: [] },
      license: { before: "CC-BY", after: "MIT" },
    });
  });

  it("stay if others change, and are removed by an empty list or text", async () => {
    const { client, path } = await scene();
    const put = async (given: object) =>
      (await client.post(`${path}/translations`, { languageCode: "es", title: "El pozo", ...given })).body;
    expect(await put({})).toMatchObject(OF_EDITION);
    expect(await put({ isbn: "979-10-90636-07-1", license: "https://example.org/license" })).toMatchObject({
      ...OF_EDITION,
      isbn: "9791090636071",
      license: "https://example.org/license",
    });
    expect(await put({ authors: [], contributors: [], publisher: "", license: " ", isbn: "" })).toMatchObject(
      NO_EDITION,
    );
  });
});

describe("the public catalogue", () => {
  const listed = async ({ api }: Awaited<ReturnType<typeof scene>>, query = "") =>
    (await api.get(`/api/books${query}`)).body.books[0];

  it("has the credits of the language, then of its parent, and the authors of the book", async () => {
    const app = await scene();
    const { authors, ...series } = OF_BOOK;
    const noEdition = { ...NO_EDITION, authors };
    expect(await listed(app)).toMatchObject({ ...series, ...noEdition });
    expect(await listed(app, "?languageCode=ar")).toMatchObject({ ...series, ...noEdition });
    expect(await listed(app, "?languageCode=es")).toMatchObject({ ...series, ...OF_EDITION });
    expect(await listed(app, "?languageCode=es-MX")).toMatchObject({ ...series, ...OF_EDITION });
    const own = { authors: ["Anita"], license: "MIT" };
    await app.client.post(`${app.path}/translations`, { languageCode: "es-MX", title: "Pozo", ...own });
    expect(await listed(app, "?languageCode=es-MX")).toMatchObject({ ...OF_EDITION, ...own });

    const details = (await app.api.get(`/api/books/${app.book.slug}?languageCode=es`)).body;
    expect(details).toMatchObject({ ...series, ...OF_EDITION });
    expect(details.translations).toMatchObject([
      { languageCode: "ar", ...noEdition },
      { languageCode: "es", ...OF_EDITION },
      { languageCode: "es-MX", ...OF_EDITION, ...own },
    ]);
    expect((await app.api.get(`/api/books/${app.book.slug}`)).body).toMatchObject({
      ...series,
      ...noEdition,
    });
  });

  it("changes its entity tag with each credit", async () => {
    const { api, client, path } = await scene();
    const etags = async () => [
      (await api.get("/api/books?languageCode=es")).headers.etag,
      (await api.get("/api/books/the-deep-well")).headers.etag,
    ];
    const changes = [
      () => client.put(path, { tags: [] }),
      () => client.post(`${path}/translations`, { languageCode: "es", title: "El pozo", license: "MIT" }),
    ];
    for (const change of changes) {
      const before = await etags();
      expect((await change()).status).toBe(200);
      const after = await etags();
      expect(after[0]).not.toBe(before[0]);
      expect(after[1]).not.toBe(before[1]);
      expect(await etags()).toEqual(after);
    }
  });
});

describe("a search", () => {
  it.each([
    "nunez",
    "深井",
    "FOLK tales",
    "village",
    "nunez fuente",
    "okoro",
    "wei",
    "press",
    "9783161484100",
    "978-3-16-148410-0",
    "316148410x",
  ])("for %s finds the book by its credits, for administrators and readers", async (words) => {
    const { api, client, make } = await scene();
    await make.published("Another Well", "es");
    const query = new URLSearchParams({ search: words });
    for (const { body } of [
      await client.get(`${BOOKS}?${query}`),
      await api.get(`/api/books?languageCode=es&${query}`),
    ])
      expect(body.books.map(({ slug }: { slug: string }) => slug)).toEqual(["the-deep-well"]);
  });

  it("doesn't find removed credits, nor the syntax in which lists are stored", async () => {
    const { client, path } = await scene();
    await client.put(path, { authors: ["Ana"], series: null });
    for (const search of ["深井", "position", '["']) {
      const { body } = await client.get(`${BOOKS}?${new URLSearchParams({ search })}`);
      expect(body.books, search).toEqual([]);
    }
  });
});

describe("a bulk request", () => {
  const ITEM = {
    slug: "well",
    titleEn: "Well",
    ...OF_BOOK,
    translations: [{ languageCode: "es", title: "El pozo", ...OF_EDITION }],
  };

  it("writes the credits once, and keeps those that it doesn't contain", async () => {
    const { app, bulk, details } = await startBulk();
    const [{ bookId }] = (await bulk([ITEM])).body.results;
    const written = await details(bookId);
    expect(written.book).toMatchObject(OF_BOOK);
    expect(written.translations).toMatchObject([OF_EDITION]);
    const { length } = await readAuditLog(app);
    const bare = { slug: "well", titleEn: "Well", translations: [{ languageCode: "es", title: "El pozo" }] };
    for (const again of [ITEM, bare])
      expect((await bulk([again])).body.results[0]).toMatchObject({ translationsUpserted: 0 });
    expect(await readAuditLog(app)).toHaveLength(length);
    expect(await details(bookId)).toEqual(written);

    const translations = [{ languageCode: "es", title: "El pozo", license: "", contributors: [] }];
    await bulk([{ slug: "well", titleEn: "Well", series: null, tags: [], translations }]);
    const { authors, publisher, isbn } = OF_EDITION;
    expect((await readAuditLog(app)).at(-1)?.changes).toEqual({
      tags: { before: OF_BOOK.tags, after: [] },
      series: { before: OF_BOOK.series, after: null },
      translations: {
        before: [{ languageCode: "es", title: "El pozo", description: null, ...OF_EDITION }],
        after: [{ languageCode: "es", title: "El pozo", description: null, authors, publisher, isbn }],
      },
    });
  });

  it("reports each error by its field", async () => {
    const { bulk } = await startBulk();
    const response = await bulk([
      {
        ...ITEM,
        tags: ["", "a\0b"],
        translations: [{ languageCode: "es", title: "El pozo", isbn: "123", contributors: [{}] }],
      },
    ]);
    expect(listErrors(response)).toEqual([
      "books.0.tags.0 too_small",
      "books.0.tags.1 invalid_characters",
      "books.0.translations.0.contributors.0.name invalid_type",
      "books.0.translations.0.isbn invalid_isbn",
    ]);
  });
});
