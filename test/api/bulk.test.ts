/** Bulk upsert: many books in one request, found by their slugs. */
import { describe, expect, it } from "vitest";
import { BULK, link, startBulk } from "../support/bulk.ts";
import { setActive, writeRows } from "../support/catalogue-rows.ts";
import { dumpOf } from "../support/database-dump.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createTxt, expectStored } from "../support/stored-files.ts";

const WELL = {
  slug: "well",
  titleEn: "The Well",
  description: "Deep.\nVery deep.",
  sortOrder: 7,
  legacyDownloadCount: 12,
  translations: [
    { languageCode: "es", title: "El pozo", description: "Hondo." },
    { languageCode: "ar", title: "البئر" },
  ],
  files: [link("es", "pozo"), link("es", "pozo", { fileType: "epub" }), link("ar", "bir")],
};

it("a bulk request has its own path, which isn't taken for a book's id", async () => {
  const { client } = await startBulk();
  expectProblem(await client.get(BULK), 405);
  expectProblem(await client.put(BULK, {}), 405);
});

describe("a new book", () => {
  it("is created with its translations and links", async () => {
    const { bulk, details, spanish, arabic } = await startBulk();
    const response = await bulk([WELL]);
    expect(response.status).toBe(200);
    const bookId = response.body.results[0].bookId;
    expect(response.body).toEqual({
      summary: { total: 1, created: 1, updated: 0, failed: 0 },
      results: [
        { index: 0, slug: "well", status: "created", bookId, translationsUpserted: 2, filesUpserted: 3 },
      ],
    });
    const { book, translations, files } = await details(bookId);
    const { translations: _, files: __, ...fields } = WELL;
    expect(book).toMatchObject({
      id: bookId,
      ...fields,
      coverImagePath: "/api/books/well/cover",
      isActive: 1,
    });
    expect(translations).toMatchObject([
      { languageId: arabic.id, title: "البئر", description: null },
      { languageId: spanish.id, title: "El pozo", description: "Hondo." },
    ]);
    expect(files).toMatchObject([
      { languageCode: "ar", fileType: "pdf", fileName: "bir.pdf", isActive: 1 },
      { languageCode: "es", fileType: "epub", fileName: "pozo.pdf", isActive: 1 },
      {
        languageCode: "es",
        fileType: "pdf",
        sourceType: "url",
        fileSizeBytes: 1000,
        sha256: null,
        cloudUrl: "https://files.example.org/pozo.pdf",
        downloadCount: 0,
        isActive: 1,
      },
    ]);
  });

  it("is archived when it is made, if that is wanted", async () => {
    const { bulk, details, client } = await startBulk();
    const item = { ...WELL, isActive: 0 };
    const { body } = await bulk([item, { titleEn: "Active", isActive: true }]);
    const [{ bookId }, other] = body.results;
    const { book } = await details(bookId);
    expect(book).toMatchObject({ isActive: 0, archivedAt: book.createdAt, archivedBy: "admin" });
    expect((await details(other.bookId)).book).toMatchObject({ isActive: 1, archivedAt: null });
    const archived = (await client.get("/api/admin/books?status=archived")).body.books;
    expect(archived).toMatchObject([{ id: bookId }]);
    // A known book stays as it is.
    await client.post(`/api/admin/books/${bookId}/restore`);
    const { version } = (await details(bookId)).book;
    expect((await bulk([item])).body.results).toMatchObject([{ status: "updated", bookId }]);
    expect((await details(bookId)).book).toMatchObject({ isActive: 1, version });
  });

  it("is added at the end and gets its slug from the title, as single books do", async () => {
    const { app, client, bulk } = await startBulk();
    const first = await app.make.book("First");
    const response = await bulk([{ titleEn: "¡El Niño's  Well!" }, { titleEn: "Another", files: [] }]);
    expect(response.body.results.map(({ slug }: { slug: string }) => slug)).toEqual([
      "el-ninos-well",
      "another",
    ]);
    const { books } = (await client.get("/api/admin/books")).body;
    expect(books.map(({ id, sortOrder }: { id: string; sortOrder: number }) => [id, sortOrder])).toEqual([
      [first.id, 1],
      ...response.body.results.map(({ bookId }: { bookId: string }, index: number) => [bookId, index + 2]),
    ]);
  });
});

describe("an existing book", () => {
  it("is found by its slug, even if that is derived from its title; only given fields change", async () => {
    const { app, bulk, details } = await startBulk();
    const made = (await bulk([{ ...WELL, titleEn: "Well" }])).body.results[0];
    const before = await details(made.bookId);
    app.clock.advance(60_000);
    const response = await bulk([{ titleEn: "WELL", translations: [{ languageCode: "ES", title: "Pozo" }] }]);
    expect(response.body).toEqual({
      summary: { total: 1, created: 0, updated: 1, failed: 0 },
      results: [{ ...made, status: "updated", translationsUpserted: 1, filesUpserted: 0 }],
    });
    const after = await details(made.bookId);
    const updatedAt = "2026-03-01T12:01:00.000Z";
    expect(after.book).toEqual({ ...before.book, titleEn: "WELL", updatedAt, version: expect.any(String) });
    expect(after.translations).toEqual([
      before.translations[0],
      { ...before.translations[1], title: "Pozo", updatedAt, version: expect.any(String) },
    ]);
    expect(after.files).toEqual(before.files);
  });

  it("keeps a link's id and count when the link changes", async () => {
    const { app, bulk, details } = await startBulk();
    const { bookId } = (await bulk([WELL])).body.results[0];
    await writeRows(app, (db) => db.updateTable("book_files").set({ downloadCount: 5 }).execute());
    const before = (await details(bookId)).files;
    const { fileSizeBytes: _, ...moved } = link("es", "moved", { fileName: "new.pdf" });
    const response = await bulk([
      { ...WELL, files: [WELL.files[2], moved, link("ar", "bir", { fileType: "fb2" })] },
    ]);
    expect(response.body.results[0]).toMatchObject({ translationsUpserted: 0, filesUpserted: 2 });
    const after = (await details(bookId)).files;
    expect(after).toHaveLength(4);
    expect(after).toEqual(
      expect.arrayContaining([
        before[0],
        before[1],
        // What the other link leads to has another size.
        {
          ...before[2],
          cloudUrl: "https://files.example.org/moved.pdf",
          fileName: "new.pdf",
          fileSizeBytes: 0,
          version: expect.any(String),
        },
        expect.objectContaining({ languageCode: "ar", fileType: "fb2", downloadCount: 0 }),
      ]),
    );
  });

  it("keeps an uploaded file, inactive, if a link replaces it", async () => {
    const { app, bulk, details } = await startBulk();
    const book = await app.make.book("Well");
    const upload = await app.make.textFile(book.id, "es", "Hondo.");
    const books = [{ titleEn: "Well", files: [link("es", "pozo", { fileType: "txt" })] }];
    expect((await bulk(books)).body.results[0].filesUpserted).toBe(1);
    const { files } = await details(book.id);
    expect(files).toHaveLength(2);
    expect(files).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: upload.id, sourceType: "local", isActive: 0 }),
        expect.objectContaining({ sourceType: "url", isActive: 1, downloadCount: 0 }),
      ]),
    );
    await expectStored(app.dataDir, createTxt("Hondo."));
    expect((await bulk(books)).body.results[0].filesUpserted).toBe(0);
    expect((await details(book.id)).files).toEqual(files);
  });

  it("stays archived", async () => {
    const { app, bulk, details } = await startBulk();
    const { bookId } = (await bulk([WELL])).body.results[0];
    await setActive(app, bookId, 0);
    const response = await bulk([{ slug: "well", titleEn: "Well" }]);
    expect(response.body.results[0]).toMatchObject({ status: "updated", bookId });
    const { book } = await details(bookId);
    expect(book).toMatchObject({ titleEn: "Well", isActive: 0 });
    expect(book.archivedAt).not.toBeNull();
  });
});

it("a repeated request changes no row and adds no entry to the audit log", async () => {
  const { app, client, bulk } = await startBulk();
  const books = [WELL, { titleEn: "Bare" }];
  const first = await bulk(books);
  app.clock.advance(60_000);
  // Any request notes when its session was last used: not what this test is about.
  expect((await client.get("/api/auth/session")).status).toBe(200);
  const before = await dumpOf(app);
  const again = await bulk(books);
  expect(again.body).toEqual({
    summary: { total: 2, created: 0, updated: 2, failed: 0 },
    results: first.body.results.map((result: object) => ({
      ...result,
      status: "updated",
      translationsUpserted: 0,
      filesUpserted: 0,
    })),
  });
  expect(await dumpOf(app)).toEqual(before);
});

it("a dry run returns the same response and stores nothing", async () => {
  const { app, bulk } = await startBulk();
  await bulk([WELL]);
  const before = await dumpOf(app);
  const books = [
    { ...WELL, titleEn: "Well", translations: [{ languageCode: "es", title: "Pozo" }] },
    { titleEn: "New", files: [link("es", "new")] },
    { titleEn: "Wrong", files: [link("fr", "new")] },
  ];
  const rehearsed = await bulk(books, "?dryRun=true");
  expect(await dumpOf(app)).toEqual(before);
  const done = await bulk(books, "?dryRun=false");
  expect(rehearsed.status).toBe(200);
  expect(rehearsed.body.summary).toEqual({ total: 3, created: 1, updated: 1, failed: 1 });
  const [updated, created, failed] = done.body.results;
  expect(created.bookId).not.toBe("");
  expect(rehearsed.body).toEqual({ ...done.body, results: [updated, { ...created, bookId: "" }, failed] });
});
