/** Books: create, list, look at, change. */
import { describe, expect, it } from "vitest";
import { startApp, startWithAdmin } from "../support/app.ts";
import { setActive } from "../support/catalogue-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { AGENTS, linkTo } from "../support/reader.ts";

const BOOKS = "/api/admin/books";

describe("creating a book", () => {
  it("returns the book and its location, complete from a title alone", async () => {
    const { make } = await startApp();
    const key = await make.apiKey();
    const response = await key.post(BOOKS, { titleEn: "  The Deep Well " });
    expect(response.status).toBe(201);
    expect(response.headers.location).toBe(`${BOOKS}/${response.body.id}`);
    expect(response.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      slug: "the-deep-well",
      titleEn: "The Deep Well",
      description: "",
      coverImagePath: "/api/books/the-deep-well/cover",
      sortOrder: 1,
      isActive: 1,
      createdAt: "2026-03-01T12:00:00.000Z",
      updatedAt: "2026-03-01T12:00:00.000Z",
      archivedAt: null,
      archivedBy: null,
      publishAt: null,
      unpublishAt: null,
      legacyDownloadCount: 0,
      authors: [],
      tags: [],
      series: null,
      version: expect.any(String),
    });
    expect((await key.get(response.headers.location ?? "")).body).toEqual({
      book: response.body,
      translations: [],
      files: [],
      covers: [],
      publications: [],
      publishedLanguages: [],
    });
  });

  it("accepts every field, with translations in existing languages", async () => {
    const { make, admin } = await startApp();
    const spanish = await make.language("es");
    const brazilian = await make.language("pt-BR");
    const given = {
      titleEn: "The Deep Well",
      slug: "well",
      description: "Two lines,\nof which this is the second.",
      sortOrder: -7,
      legacyDownloadCount: 1200,
    };
    const translations = [
      { languageCode: "PT-br", title: "O poço fundo", description: null },
      { languageCode: "es", title: "El pozo profundo", description: "De un pozo." },
    ];
    const client = await admin();
    const response = await client.post(BOOKS, { ...given, coverImagePath: "/covers/well.png", translations });
    expect(response.status).toBe(201);
    // The path is that of the cover that readers are shown, not the given one.
    expect(response.body).toMatchObject({ ...given, coverImagePath: "/api/books/well/cover" });
    const details = await client.get(`${BOOKS}/${response.body.id}`);
    expect(details.body.translations).toMatchObject([
      { languageId: spanish.id, languageCode: "es", title: "El pozo profundo", description: "De un pozo." },
      { languageId: brazilian.id, languageCode: "pt-BR", title: "O poço fundo", description: null },
    ]);
  });
});

describe("the slug of a book", () => {
  it("is lowered, as e-mail addresses are", async () => {
    const { make } = await startApp();
    const { slug } = await make.book("Wells", { slug: " The-Deep-WELL " });
    expect(slug).toBe("the-deep-well");
  });

  it("is derived from the title, with a number if it is taken", async () => {
    const { make } = await startApp();
    const slugs = [];
    for (const title of [
      "Let’s Dig — Être à l'eau!",
      "lets dig; etre a leau",
      "Let's dig? Être à l’eau",
      "井",
      "井",
    ]) {
      slugs.push(await make.book(title));
    }
    const [first, second, third, well, otherWell] = slugs;
    expect([first?.slug, second?.slug, third?.slug]).toEqual([
      "lets-dig-etre-a-leau",
      "lets-dig-etre-a-leau-2",
      "lets-dig-etre-a-leau-3",
    ]);
    expect([well?.slug, otherWell?.slug]).toEqual(["book-68d8ubf4", "book-68d8ubf4-2"]);
    const marks = await make.book("?!");
    expect(marks.slug).toBe(`book-${marks.id.slice(-8)}`);
  });

  it("stays within 80 characters with its number", async () => {
    const { make } = await startApp();
    const title = "well ".repeat(40);
    const [one, two] = [await make.book(title), await make.book(title)];
    expect(one.slug).toBe("well-".repeat(16).slice(0, 79));
    expect(two.slug).toBe(`${"well-".repeat(16).slice(0, 78)}-2`);
  });

  it("can be given, unless another book has it", async () => {
    const { make, admin } = await startApp();
    const client = await admin();
    const { id } = await make.book("One", { slug: "the-well" });
    await make.book("Two", { slug: "two" });
    expectProblem(await client.post(BOOKS, { titleEn: "Three", slug: "the-well" }), 409, {
      code: "slug_taken",
    });
    expectProblem(await client.put(`${BOOKS}/${id}`, { slug: "two", titleEn: "Changed" }), 409, {
      code: "slug_taken",
    });
    expect((await client.get(`${BOOKS}/${id}`)).body.book).toMatchObject({
      slug: "the-well",
      titleEn: "One",
    });
    expect((await client.put(`${BOOKS}/${id}`, { slug: "the-well" })).status).toBe(200);
  });

  it("is assigned to one book only, for concurrent requests", async () => {
    const { client } = await startWithAdmin();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => client.post(BOOKS, { titleEn: "Well", slug: "well" })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    const derived = await Promise.all(
      Array.from({ length: 10 }, () => client.post(BOOKS, { titleEn: "Well" })),
    );
    expect(new Set(derived.map(({ body }) => body.slug)).size).toBe(10);
  });
});

describe("the list of books", () => {
  it("is ordered, with new books last, even after the largest position", async () => {
    const { make, admin, clock } = await startApp();
    const client = await admin();
    const titles = async () =>
      (await client.get(BOOKS)).body.books.map((b: { titleEn: string }) => b.titleEn);
    await make.book("B");
    await make.book("C");
    await make.book("A", { sortOrder: -2_147_483_648 });
    clock.advance(1);
    await make.book("same place as B", { sortOrder: 1 });
    expect(await titles()).toEqual(["A", "B", "same place as B", "C"]);
    await make.book("far", { sortOrder: 2_147_483_647 });
    clock.advance(1);
    await make.book("last");
    clock.advance(1);
    await make.book("the very last");
    expect(await titles()).toEqual(["A", "B", "same place as B", "C", "far", "last", "the very last"]);
    const places = (await client.get(BOOKS)).body.books.map((b: { sortOrder: number }) => b.sortOrder);
    expect(Math.max(...places)).toBe(2_147_483_647);
  });

  it("counts translations, active files and downloads of each book", async () => {
    const { make, admin, api } = await startApp();
    await make.language("ar");
    const { book } = await make.published("Well", "es");
    await make.textFile(book.id, "es", "a second edition");
    const client = await admin();
    await client.post(`${BOOKS}/${book.id}/translations`, { languageCode: "ar", title: "بئر" });
    await make.book("Bare");
    const link = await linkTo(api, { slug: book.slug, languageCode: "es" });
    expect((await api.get(link, { "User-Agent": AGENTS.chrome })).status).toBe(200);
    expect((await client.get(BOOKS)).body.books).toMatchObject([
      {
        titleEn: "Well",
        translationsCount: 1,
        filesCount: 1,
        languages: ["ar", "es"],
        totalDownloads: 1,
        archivedAt: null,
        archivedBy: null,
        publishAt: null,
        unpublishAt: null,
      },
      { titleEn: "Bare", translationsCount: 0, filesCount: 0, languages: [], totalDownloads: 0 },
    ]);
  });

  it("has pages: a larger limit becomes 200, and a page beyond the last is empty with the correct total", async () => {
    const { make, admin } = await startApp();
    const client = await admin();
    for (const title of ["A", "B", "C", "D", "E"]) await make.book(title);
    const page = async (query: string) => {
      const { books, pagination } = (await client.get(`${BOOKS}?${query}`)).body;
      return [books.map((b: { titleEn: string }) => b.titleEn).join(""), pagination];
    };
    expect(await page("")).toEqual(["ABCDE", { page: 1, limit: 50, total: 5, totalPages: 1 }]);
    expect(await page("page=2&limit=2")).toEqual(["CD", { page: 2, limit: 2, total: 5, totalPages: 3 }]);
    expect(await page("page=3&limit=2")).toEqual(["E", { page: 3, limit: 2, total: 5, totalPages: 3 }]);
    expect(await page("page=4&limit=2")).toEqual(["", { page: 4, limit: 2, total: 5, totalPages: 3 }]);
    expect(await page("page=999999999&limit=200")).toEqual([
      "",
      { page: 999_999_999, limit: 200, total: 5, totalPages: 1 },
    ]);
    expect(await page("limit=201")).toEqual(["ABCDE", { page: 1, limit: 200, total: 5, totalPages: 1 }]);
    expect(await page("limit=9007199254740991")).toEqual([
      "ABCDE",
      { page: 1, limit: 200, total: 5, totalPages: 1 },
    ]);
  });

  it("contains the active books, the archived ones or all", async () => {
    const { app, client } = await startWithAdmin();
    await app.make.book("Active");
    await setActive(app, (await app.make.book("Archived")).id, 0);
    const titles = async (query: string) =>
      (await client.get(`${BOOKS}${query}`)).body.books.map((b: { titleEn: string }) => b.titleEn);
    expect(await titles("")).toEqual(["Active", "Archived"]);
    expect(await titles("?status=all")).toEqual(["Active", "Archived"]);
    expect(await titles("?status=active")).toEqual(["Active"]);
    expect(await titles("?status=archived")).toEqual(["Archived"]);
    expect(await titles("?status=archived&search=active")).toEqual([]);
  });
});
