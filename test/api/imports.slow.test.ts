/** Plans of imports: what files would become, by their paths and what is known of their content. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { describeReport } from "../../src/operation/transfer/reported.ts";
import type { ImportPlan } from "../../src/schemas/imports.schemas.ts";
import { bearer, createKey } from "../support/accounts.ts";
import { createPdf, createTitledEpub, zipOf } from "../support/book-files.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { PLANS, startImports } from "../support/import-scene.ts";
import { type Files, readFolder, runImport } from "../support/library-runs.ts";
import { makeMessyFolder } from "../support/messy-folder.ts";
import { createMetadataReader } from "../support/metadata-reader.ts";
import { createTxt, hashBytes } from "../support/stored-files.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const reader = createMetadataReader();

describe("a plan", () => {
  it("groups files into books, and names what is left out with the reason", async () => {
    const { make, plan } = await startImports();
    await make.language("es");
    const { books, languages, leftOut } = await plan({
      "es/the-well.epub": await createTitledEpub("El pozo", "es"),
      "en/the-well.txt": createTxt("The well."),
      "es/the-well.jpg": "A picture.",
      "readme.txt": createTxt("About."),
      "story.doc": "A story.",
      ".hidden/x.epub": "Hidden.",
      "photo.png": "A photo.",
      "empty.en.epub": "",
      "no-language.txt": createTxt("Text."),
    });
    expect(books).toEqual([
      {
        slug: "the-well",
        bookId: null,
        titleEn: "The well",
        status: "create",
        files: [
          {
            path: "en/the-well.txt",
            languageCode: "en",
            fileType: "txt",
            fileName: "the-well.txt",
            title: null,
            status: "create",
            remarks: [],
          },
          {
            path: "es/the-well.epub",
            languageCode: "es",
            fileType: "epub",
            fileName: "the-well.epub",
            title: "El pozo",
            status: "create",
            remarks: [],
          },
        ],
        covers: [{ path: "es/the-well.jpg", languageCode: "es" }],
        coversCount: 1,
        titleIsBorrowed: false,
        keptTexts: [],
        errors: [
          {
            code: "language_missing",
            message: "The language en doesn't exist; create it first.",
            languageCode: "en",
          },
        ],
      },
    ]);
    expect(languages).toEqual([
      { code: "en", name: "English", nativeName: "English", direction: "ltr", parentCode: null },
    ]);
    expect(leftOut.map(({ path }) => path).sort()).toEqual(
      [".hidden/x.epub", "empty.en.epub", "no-language.txt", "photo.png", "readme.txt", "story.doc"].sort(),
    );
    expect(Object.fromEntries(leftOut.map(({ path, code }) => [path, code]))).toEqual({
      ".hidden/x.epub": "hidden",
      "empty.en.epub": "content_unknown",
      "no-language.txt": "language_unknown",
      "photo.png": "cover_of_no_book",
      "readme.txt": "about_the_collection",
      "story.doc": "other_type",
    });
    const reasons = new Map(leftOut.map(({ path, reason }) => [path, reason]));
    expect(reasons.get("empty.en.epub")).toBe("The file is empty.");
    expect(reasons.get("no-language.txt")).toBe(
      "Its language is unknown. Put it in a folder such as en/ or English/, or name it book.en.pdf.",
    );
  });

  it("has a code for each reason, also for those of contents, covers and books", async () => {
    const { make, plan } = await startImports();
    await make.language("es");
    const well = await createTitledEpub("El pozo", "es");
    const { leftOut } = await plan({
      "es/sea.pdf": "No PDF.",
      "es/packed.zip": await zipOf({ "one.epub": well, "two.epub": well }),
    });
    expect(leftOut).toEqual([
      {
        path: "es/packed.zip",
        code: "books_inside",
        reason: "It contains 2 books; unpack it first, or name it in a catalogue.",
      },
      { path: "es/sea.pdf", code: "content_unfit", reason: expect.stringMatching(/^The file is /) },
    ]);
    const text = "title_en,language,file,license\nMoon,fr,a.txt,CC0-1.0\n,fr,b.txt,CC0-1.0\n";
    const described = await plan({ "a.txt": "A.", "b.txt": "B." }, { catalogue: { name: "c.csv", text } });
    expect(described.books.map(({ slug, errors }) => [slug, errors.map(({ code }) => code)])).toEqual([
      ["moon", ["title_missing"]],
      ["b", ["title_missing"]],
    ]);
  });

  it("names the file in whose place another one would be", async () => {
    const { make, plan } = await startImports();
    await make.language("en");
    const { leftOut } = await plan({
      "en/the-well.txt": createTxt("The well."),
      "en/deep/the-well.txt": createTxt("Another well."),
      "en/tree.txt": createTxt("The tree."),
      "en/tree.en.txt": createTxt("Another tree."),
    });
    expect(leftOut).toEqual([
      {
        path: "en/tree.txt",
        code: "format_taken",
        by: "en/tree.en.txt",
        reason: "The book tree already has en/tree.en.txt as its txt in en.",
      },
      {
        path: "en/deep/the-well.txt",
        code: "name_taken",
        by: "en/the-well.txt",
        reason:
          "Its name is that of another book. Rename one, or list both in a catalogue. (as en/the-well.txt, both English)",
      },
    ]);
  });

  it("changes nothing", async () => {
    const { make, plan, client } = await startImports();
    await make.language("en");
    await plan({ "en/the-well.txt": createTxt("The well.") });
    expect((await client.get("/api/admin/books")).body.books).toEqual([]);
    expect((await client.get("/api/admin/languages")).body.languages).toHaveLength(1);
  });

  it("compares with the catalogue, also files that weren't examined but are those of a book", async () => {
    const { make, send, client } = await startImports();
    const { book } = await make.published("Well", "es", "same");
    await make.textFile(book.id, "en", "stored");
    const plan = async (files: Files) => (await send(files)).body;
    expect(await plan({ "es/well.txt": "same" })).toMatchObject({
      books: [{ slug: "well", titleEn: "Well", status: "unchanged", files: [{ status: "unchanged" }] }],
      leftOut: [],
    });
    const { books } = await plan({ "es/well.txt": "stored", "es/hill.txt": "same" });
    expect(books).toMatchObject([
      { slug: "well", status: "unchanged", files: [{ path: "es/hill.txt", status: "unchanged" }] },
      {
        slug: "well",
        status: "unchanged",
        files: [{ path: "es/well.txt", status: "known", knownAs: [{ bookId: book.id, languageCode: "en" }] }],
      },
    ]);
    await client.delete(`/api/admin/books/${book.id}?permanent=true`);
    expect((await plan({ "es/well.txt": "same" })).books).toMatchObject([{ slug: "well", status: "create" }]);
  });

  it("says that a book gets further files", async () => {
    const { make, plan } = await startImports();
    for (const code of ["es", "en"]) await make.language(code);
    await make.published("Well", "es", "same");
    const { books } = await plan({ "es/well.txt": "same", "en/well.txt": "new" });
    expect(books).toMatchObject([
      {
        status: "update",
        files: [
          { path: "en/well.txt", status: "create" },
          { path: "es/well.txt", status: "unchanged" },
        ],
        errors: [],
      },
    ]);
  });

  it("decides like bookdist import, before and after it", async () => {
    const { app, plan, send } = await startImports();
    const folder = createTempFolder();
    await makeMessyFolder(folder);
    const files = readFolder(folder);
    await plan(files);
    for (const isDryRun of [true, false, true]) {
      const planned: ImportPlan = (await send(files)).body;
      const report = await runImport(app, folder, { isDryRun, reader });
      const { plans } = report;
      const described = describeReport(report).books;
      const expected = plans.map((each, index) => ({
        slug: each.wanted.slug,
        bookId: each.bookId ?? null,
        titleEn: each.titleEn,
        status: described[index]?.status,
        coversCount: described[index]?.covers,
        titleIsBorrowed: described[index]?.isBorrowed,
        keptTexts: described[index]?.keptTexts,
        files: each.wanted.files.map(({ file, languageCode, fileType }) => [
          file.place,
          languageCode,
          fileType,
        ]),
        covers: each.covers.flatMap(({ place }) => place ?? []),
      }));
      expect(
        planned.books.map(({ files: ofBook, covers, errors: _, ...book }) => ({
          ...book,
          files: ofBook
            .filter(({ status }) => status !== "known")
            .map(({ path, languageCode, fileType }) => [path, languageCode, fileType]),
          covers: covers.map(({ path }) => path),
        })),
      ).toEqual(expected);
      const named = [
        ...planned.books.flatMap((book) => [...book.files, ...book.covers]),
        ...planned.leftOut,
      ].map(({ path }) => path);
      if (isDryRun && planned.books.every(({ status }) => status === "create"))
        expect(named.sort()).toEqual(Object.keys(files).sort());
    }
  });
});

describe("a plan with a catalogue", () => {
  const files = async () => ({
    "books/catalogue.csv": "The catalogue.",
    "books/es/pozo.epub": await createTitledEpub("Metadata", "es"),
    "books/other.pdf": await createPdf({}),
  });

  it("has the books of a table, whose paths are those beside it", async () => {
    const { make, plan } = await startImports();
    await make.language("es");
    const text = "slug,title_en,title,language,file\nthe-well,The Well,El pozo,es,es/pozo.epub\n";
    const { books, leftOut } = await plan(await files(), {
      catalogue: { name: "books/catalogue.csv", text },
    });
    expect(books).toMatchObject([
      {
        slug: "the-well",
        titleEn: "The Well",
        status: "create",
        files: [{ path: "books/es/pozo.epub", languageCode: "es", title: "El pozo", status: "create" }],
        errors: [],
      },
    ]);
    expect(leftOut).toEqual([
      {
        path: "books/other.pdf",
        code: "not_in_catalogue",
        reason: "No imported book of the catalogue names it.",
      },
      { path: "books/catalogue.csv", code: "catalogue", reason: "It is the catalogue." },
    ]);
  });

  it("has the books of JSON, and names what is wrong in it", async () => {
    const { make, plan } = await startImports();
    await make.language("es");
    const catalogue = {
      books: [
        { titleEn: "The Well", localFiles: [{ path: "es/pozo.epub" }, { path: "../../secret.epub" }] },
        { titleEn: "" },
      ],
    };
    const { books, leftOut } = await plan(await files(), {
      catalogue: { name: "books/catalogue.json", text: JSON.stringify(catalogue) },
    });
    expect(books).toMatchObject([
      {
        slug: "the-well",
        files: [{ path: "books/es/pozo.epub" }],
        errors: [{ code: "file_missing", path: "../../secret.epub" }],
      },
      { slug: "", titleEn: "", files: [], errors: [{ code: "too_small", path: "books.1.titleEn" }] },
    ]);
    expect(leftOut.map(({ path }) => path)).toEqual(["books/catalogue.csv", "books/other.pdf"]);
  });

  it("rejects a catalogue that can't be read", async () => {
    const { send } = await startImports();
    for (const [name, text, ...columns] of [
      ["catalogue.json", "{"],
      ["catalogue.csv", "no,such,columns\n1,2,3\n", "no", "such", "columns"],
      ["catalogue.csv", "title,titel\n1,2\n", "titel"],
      ["catalogue.json", '{"books": 1}'],
    ] as const) {
      const response = await send({ "a.txt": "a" }, { catalogue: { name, text } });
      const errors = columns.map((column) => `catalogue.columns.${column} unknown_field`);
      expectProblem(response, 400, { errors: [...errors, "catalogue.text invalid_format"] });
    }
  });

  it("takes columns by the names that corrections give them, for cells, too", async () => {
    const { send } = await startImports();
    const catalogue = {
      name: "a.csv",
      text: "Título,Idioma,estante,title_en\nEl pozo,Espanol?,1,Well\nLa luna,es,2,Moon\n",
    };
    const ask = (more: object[], ignoreUnknownColumns: boolean) =>
      send(
        { "a.csv": "" },
        { catalogue: { ...catalogue, ignoreUnknownColumns }, corrections: [...names, ...more] },
      );
    const names = [
      { line: 1, column: "título", value: "title" },
      { line: 1, column: "Idioma", value: "language" },
    ];
    const unknown = await ask([], false);
    expectProblem(unknown, 400, {
      errors: ["catalogue.columns.estante unknown_field", "catalogue.text invalid_format"],
    });
    const cell = { line: 2, column: "language", value: "Espanol?" };
    const wrong = (await ask([], true)).body;
    expect(wrong.books.flatMap((book: { errors: unknown[] }) => book.errors)).toContainEqual(
      expect.objectContaining(cell),
    );
    const { books } = (await ask([{ ...cell, value: "es" }], true)).body;
    expect(books).toMatchObject(
      ["Well", "Moon"].map((titleEn) => ({ titleEn, errors: [{ code: "language_missing" }] })),
    );
  });
});

describe("the request of a plan", () => {
  it("is limited to two at once for a user, with all sessions and API keys", async () => {
    const { container, client, api, send } = await startImports();
    const { key } = await createKey(client, { scopes: ["edit_books"] });
    const program = api.with(bearer(key));
    const { examinations } = container.services;
    const released = Promise.withResolvers<void>();
    const spy = vi.spyOn(examinations, "examineStored").mockReturnValue(released.promise);
    onTestFinished(() => spy.mockRestore());
    const sendByKey = () =>
      program.post(PLANS, { files: [{ path: "a.txt", sha256: hashBytes(createTxt("a")) }] });
    const plans = [send({ "a.txt": "a" }), sendByKey()];
    await eventually(() => expect(spy).toHaveBeenCalledTimes(2));
    for (const response of [await send({ "a.txt": "a" }), await sendByKey()])
      expectProblem(response, 429, { code: "too_many_requests" });
    released.resolve();
    for (const response of await Promise.all(plans)) expect(response.status).toBe(200);
  });

  it("has 1 to 10,000 files with different paths, and a catalogue of a known kind", async () => {
    const { client, send } = await startImports();
    const sha256 = hashBytes(createTxt("a"));
    const many = Array.from({ length: 10_001 }, (_, index) => ({ path: `${index}.txt`, sha256 }));
    expectProblem(await client.post(PLANS, { files: many }), 400, { errors: ["files too_big"] });
    expectProblem(await client.post(PLANS, { files: [] }), 400, { errors: ["files too_small"] });
    const twice = [
      { path: "a.txt", sha256 },
      { path: "a.txt", sha256 },
    ];
    expectProblem(await client.post(PLANS, { files: twice }), 400, { errors: ["files invalid_value"] });
    const surrogate = { files: [{ path: "x\udfff.txt", sha256 }] };
    expectProblem(await client.post(PLANS, surrogate), 400, { errors: ["files.0.path invalid_characters"] });
    const wrong = { files: [{ path: "", sha256: "A" }], catalogue: { name: "a.ods", text: "" }, more: 1 };
    expectProblem(await client.post(PLANS, wrong), 400, {
      errors: [
        "catalogue.name invalid_format",
        "catalogue.text too_small",
        "files.0.path too_small",
        "files.0.sha256 invalid_format",
        "more unknown_field",
      ],
    });
    expect((await send({ "a.txt": "unknown" })).body).toMatchObject({ books: [] });
  });
});
