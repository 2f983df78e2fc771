/** The public list of books, and one book. */
import { describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";

async function translate(app: TestApp, bookId: string, languageCode: string, title: string) {
  const admin = await app.admin();
  const response = await admin.post(`/api/admin/books/${bookId}/translations`, { languageCode, title });
  expect(response.status).toBe(201);
}

describe("GET /api/books", () => {
  it("is empty if nothing is published", async () => {
    const { api } = await startApp();
    const response = await api.get("/api/books");
    expect(response.status).toBe(200);
    expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(response.body).toEqual({
      books: [],
      pagination: { page: 1, limit: 50, total: 0, totalPages: 0 },
      language: null,
    });
  });

  it("returns a book in the requested language, or in all of them", async () => {
    const { api, make } = await startApp();
    const spanish = await make.language("es", { name: "Spanish", nativeName: "Español" });
    await make.language("ar", { name: "Arabic", nativeName: "العربية" });
    const book = await make.book("The Deep Well", {
      description: "A well.",
      translations: [{ languageCode: "es", title: "El pozo profundo", description: "Un pozo." }],
    });
    const inArabic = await make.textFile(book.id, "ar", "بئر", "بئر.txt");
    const inSpanish = await make.textFile(book.id, "es", "pozo", "pozo.txt");

    const files = {
      ar: { id: inArabic.id, languageCode: "ar", fileType: "txt", fileName: "بئر.txt", fileSizeBytes: 6 },
      es: { id: inSpanish.id, languageCode: "es", fileType: "txt", fileName: "pozo.txt", fileSizeBytes: 4 },
    };
    const everywhere = {
      id: book.id,
      slug: "the-deep-well",
      titleEn: "The Deep Well",
      title: "The Deep Well",
      description: "A well.",
      languageCode: null,
      coverUrl: "/api/books/the-deep-well/cover",
      sortOrder: 1,
      languages: ["ar", "es"],
      files: [files.ar, files.es],
      authors: [],
      tags: [],
      series: null,
      contributors: [],
      publisher: null,
      license: null,
      isbn: null,
      publishedAt: "2026-03-01T12:00:00.000Z",
      updatedAt: "2026-03-01T12:00:00.000Z",
    };
    const all = await api.get("/api/books");
    expect(all.body).toEqual({
      books: [everywhere],
      pagination: { page: 1, limit: 50, total: 1, totalPages: 1 },
      language: null,
    });

    const one = await api.get("/api/books?languageCode=ES");
    expect(one.body.language).toEqual({
      id: spanish.id,
      code: "es",
      name: "Spanish",
      nativeName: "Español",
      direction: "ltr",
    });
    expect(one.body.books).toEqual([
      {
        ...everywhere,
        title: "El pozo profundo",
        description: "Un pozo.",
        languageCode: "es",
        coverUrl: "/api/books/the-deep-well/cover?languageCode=es",
        files: [files.es],
      },
    ]);
  });

  it("falls back to the English texts without a translation or a description", async () => {
    const app = await startApp();
    const { api, make } = app;
    for (const code of ["es", "fr"]) await make.language(code);
    const book = await make.book("The Deep Well", { description: "A well." });
    await translate(app, book.id, "es", "El pozo profundo");
    await make.textFile(book.id, "es", "pozo");
    await make.textFile(book.id, "fr", "puits");
    const inLanguage = async (code: string) => {
      const { title, description } = (await api.get(`/api/books?languageCode=${code}`)).body.books[0];
      return { title, description };
    };
    expect(await inLanguage("es")).toEqual({ title: "El pozo profundo", description: "A well." });
    expect(await inLanguage("fr")).toEqual({ title: "The Deep Well", description: "A well." });
  });
});

describe("GET /api/books/{slugOrId}", () => {
  it("returns one book in all its languages, by slug and by id", async () => {
    const app = await startApp();
    const { api, make } = app;
    for (const code of ["en", "es", "ar"]) await make.language(code);
    const book = await make.book("The Deep Well", { description: "A well." });
    await translate(app, book.id, "ar", "البئر العميق");
    await translate(app, book.id, "es", "A translation without a file");
    for (const code of ["en", "ar"]) await make.textFile(book.id, code, code);
    const bySlug = await api.get("/api/books/the-deep-well");
    expect(bySlug.status).toBe(200);
    expect(bySlug.body).toMatchObject({
      id: book.id,
      title: "The Deep Well",
      languageCode: null,
      languages: ["ar", "en"],
      files: [{ languageCode: "ar" }, { languageCode: "en" }],
      translations: [
        { languageCode: "ar", title: "البئر العميق", description: "A well.", direction: "rtl" },
        { languageCode: "en", title: "The Deep Well", description: "A well.", direction: "ltr" },
      ],
    });
    expect((await api.get(`/api/books/${book.id}`)).body).toEqual(bySlug.body);
  });

  it("prefers the id if another book's slug is the same", async () => {
    const { api, make } = await startApp();
    const { book } = await make.published("One", "en");
    const other = await make.book("Two", { slug: book.id });
    await make.textFile(other.id, "en", "two");
    expect((await api.get(`/api/books/${book.id}`)).body.title).toBe("One");
  });

  it("returns 404 unless the book is published", async () => {
    const { api, make } = await startApp();
    const { slug } = await make.book("No Files");
    for (const name of [slug, "unknown", "a%2Fb", "..%2f..%2fetc", "%00", "x".repeat(101)]) {
      expectProblem(await api.get(`/api/books/${name}`), 404);
    }
    expectProblem(await api.get(`/api/books/${slug}`), 404, { code: "book_not_found" });
  });
});
