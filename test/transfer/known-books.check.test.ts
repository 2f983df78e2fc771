/** Which books of a folder are known ones: by bytes, or by name and room; nothing is overwritten because of a slug. */
import { describe, expect, it } from "vitest";
import { importSummary, importTable } from "../../src/operation/transfer/report.ts";
import { describeReport } from "../../src/operation/transfer/reported.ts";
import { createTitledEpub, writeFiles } from "../support/book-files.ts";
import { writeRows } from "../support/catalogue-rows.ts";
import { PLANS, startImports } from "../support/import-scene.ts";
import { type Files, runImport } from "../support/library-runs.ts";
import { createMetadataReader } from "../support/metadata-reader.ts";
import { hashBytes } from "../support/stored-files.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const reader = createMetadataReader();

async function startLibrary() {
  const scene = await startImports();
  const runFolder = async (files: Files, given: { overwrites?: boolean; isSameBook?: boolean } = {}) => {
    const folder = createTempFolder();
    writeFiles(folder, files);
    const report = await runImport(scene.app, folder, { reader, ...given });
    const outcome = report.plans.map(({ wanted, bookId, isUnsure }) => {
      const kind = isUnsure ? "unsure" : bookId === undefined ? "new" : "known";
      return `${wanted.slug} ${kind}`;
    });
    return {
      ...report,
      outcome,
      summary: importSummary(describeReport(report), false),
      table: importTable(describeReport(report)),
    };
  };
  /** Active files as `slug language type hash`, and the titles. */
  const listBooks = async () => {
    const { books } = (await scene.client.get("/api/admin/books?limit=200")).body;
    const all: Record<string, { titleEn: string; files: string[] }> = {};
    for (const { id, slug, titleEn } of books) {
      const { files } = (await scene.client.get(`/api/admin/books/${id}`)).body;
      const active = files.filter(({ isActive }: { isActive: number }) => isActive === 1);
      const lines = active.map(
        (file: Record<string, string>) => `${file.languageCode} ${file.fileType} ${file.sha256?.slice(0, 8)}`,
      );
      all[slug] = { titleEn, files: lines.sort() };
    }
    return all;
  };
  const renameSlug = (slug: string, former: string) =>
    writeRows(scene.app, (db) =>
      db.updateTable("books").set({ slug: former }).where("slug", "=", slug).execute(),
    );
  const findId = async (slug: string): Promise<string> => {
    const { books } = (await scene.client.get("/api/admin/books?limit=200")).body;
    return books.find((book: { slug: string }) => book.slug === slug).id;
  };
  return { ...scene, runFolder, listBooks, renameSlug, findId };
}

const line = (code: string, type: string, content: string | Buffer) =>
  `${code} ${type} ${hashBytes(Buffer.from(content)).slice(0, 8)}`;

describe("names with the same remaining letters", () => {
  it.each([
    ["zh/数学 1.txt", "ru/Физика 1.txt", "zh/语文 1.txt"],
    ["ha/Ƙarami.txt", "en/Ɓarami.txt", "ha/Arami.txt"],
    ["bo/ཀ་ཁ.txt", "my/သစ်ပင်.txt", "bo/ང་ཅ.txt"],
    ["ru/Книга/book.txt", "uk/Пісня/book.txt", "ru/Сказка/book.txt"],
  ])("are different books, also with --overwrite: %s, %s, %s", async (one, other, third) => {
    const { runFolder, listBooks } = await startLibrary();
    await runFolder({ [one]: "one" });
    expect((await runFolder({ [other]: "other" })).outcome).toEqual([expect.stringMatching(/ new$/)]);
    expect((await runFolder({ [third]: "third" }, { overwrites: true })).outcome).toEqual([
      expect.stringMatching(/ new$/),
    ]);
    const books = Object.values(await listBooks());
    expect(books.map(({ files }) => files)).toEqual([
      [line(one.slice(0, 2), "txt", "one")],
      [line(other.slice(0, 2), "txt", "other")],
      [line(third.slice(0, 2), "txt", "third")],
    ]);
  });

  it("ask if slugs can spell them, and only signs or accents differ", async () => {
    const { runFolder, listBooks } = await startLibrary();
    await runFolder({ "en/C++.txt": "c++", "fr/Élan.txt": "élan" });
    const before = await listBooks();
    const report = await runFolder(
      { "en/C.txt": "c", "es/C.txt": "c, es", "fr/Elan.txt": "elan" },
      { overwrites: true },
    );
    expect(report.outcome).toEqual(["c unsure", "elan unsure"]);
    expect(await listBooks()).toEqual(before);
    expect(report.summary).toContain("unsure     c     en/C.txt, es/C.txt: perhaps “C++”\n");
    expect(report.summary).toMatch(/2 books could be some .*--same-book.*\n2 unsure books\.\n$/s);
    const confirmed = await runFolder({ "es/C.txt": "c, es" }, { isSameBook: true });
    expect(confirmed.outcome).toEqual(["c known"]);
    expect((await listBooks()).c?.files).toEqual([line("en", "txt", "c++"), line("es", "txt", "c, es")]);
  });

  it("are told apart in one folder, and by a catalogue without slugs", async () => {
    const { runFolder, listBooks } = await startLibrary();
    const files = { "a.txt": "one", "b.txt": "other" };
    const rows = "title_en,language,file\nМатематика 1,ru,a.txt\nФизика 1,ru,b.txt\n";
    for (const expected of ["new", "known"]) {
      const { outcome } = await runFolder({ ...files, "catalogue.csv": rows });
      expect(outcome).toEqual([`1-5hkc6qdl ${expected}`, `1-zzooo4mp ${expected}`]);
    }
    const again = await runFolder({
      "catalogue.csv": `${rows}математика  1,en,c.txt\n`,
      ...files,
      "c.txt": "en",
    });
    expect(again.outcome).toEqual(["1-5hkc6qdl known", "1-zzooo4mp known"]);
    expect((await listBooks())["1-5hkc6qdl"]?.files).toHaveLength(2);
  });
});

describe("a library of the version before", () => {
  const FOLDER = {
    "zh/数学.txt": "zh",
    "zh/理科/数学.txt": "zh, science",
    "ru/Математика 1.txt": "ru",
    "ha/Ƙarami.txt": "ha",
    "the-well/en.txt": "well",
    "the-well/es.txt": "pozo",
    "fr/Élan vital.txt": "fr",
    "az/Ərəb.txt": "az",
  };
  /** The slugs of the new rule, and those of the one before. */
  const FORMER = {
    "book-3da98ubu": "book-872c1fa1",
    "book-3da98ubu-2": `book-${hashBytes(Buffer.from("理科/数学")).slice(0, 8)}`,
    "1-5hkc6qdl": "1",
    karami: "arami",
    "r-b-20jex0jt": "ereb",
  };

  it("isn't changed by a repeated import of its folder, with or without corrections", async () => {
    const { client, runFolder, listBooks, renameSlug, findId } = await startLibrary();
    expect((await runFolder(FOLDER)).failures).toEqual([]);
    for (const [slug, former] of Object.entries(FORMER)) await renameSlug(slug, former);
    for (const isCorrected of [false, true]) {
      if (isCorrected)
        for (const slug of [...Object.values(FORMER), "the-well"])
          await client.put(`/api/admin/books/${await findId(slug)}`, { titleEn: `Corrected ${slug}` });
      const before = await listBooks();
      for (const overwrites of [false, true]) {
        const report = await runFolder(FOLDER, { overwrites: overwrites && !isCorrected });
        expect(report.failures).toEqual([]);
        expect(report.outcome.toSorted()).toEqual(
          Object.keys(before)
            .map((slug) => `${slug} known`)
            .sort(),
        );
        expect(await listBooks()).toEqual(before);
      }
    }
  });

  it("gets further languages of its books, and changed files where titles are equal", async () => {
    const { runFolder, listBooks, renameSlug } = await startLibrary();
    await runFolder(FOLDER);
    for (const [slug, former] of Object.entries(FORMER)) await renameSlug(slug, former);
    const more = {
      "en/数学.txt": "en",
      "uk/Математика 1.txt": "uk",
      "en/Ƙarami.txt": "en, small",
      "the-well/fr.txt": "puits",
      "fr/Élan vital.txt": "fr, changed",
    };
    const { outcome } = await runFolder(more);
    expect(outcome.toSorted()).toEqual([
      "1 known",
      "arami known",
      "book-872c1fa1 known",
      "elan-vital known",
      "the-well known",
    ]);
    const { arami, "elan-vital": elan, "the-well": well } = await listBooks();
    expect(arami?.files).toEqual([line("en", "txt", "en, small"), line("ha", "txt", "ha")]);
    expect(well?.files).toHaveLength(3);
    expect(elan?.files).toEqual([line("fr", "txt", "fr")]);
    await runFolder(more, { overwrites: true });
    expect((await listBooks())["elan-vital"]?.files).toEqual([line("fr", "txt", "fr, changed")]);
  });
});

describe("a book of a folder", () => {
  it("is the known one that has its bytes, under any name", async () => {
    const { runFolder, listBooks } = await startLibrary();
    const bytes = await createTitledEpub("La Cabra", "es");
    await runFolder({ "es/goat.epub": bytes });
    const before = await listBooks();
    const report = await runFolder({ "cabra FINAL v2.epub": bytes, "copia/cabra (1).epub": bytes });
    expect(report.outcome).toEqual(["goat known"]);
    expect(await listBooks()).toEqual(before);
    // Of a file that was deactivated or replaced, too.
    await runFolder(
      { "es/goat.epub": await createTitledEpub("La Cabra", "es", "<dc:date>2</dc:date>") },
      { overwrites: true },
    );
    expect((await runFolder({ "x.epub": bytes })).outcome).toHaveLength(1);
  });

  it("of two known ones with its bytes is the one with its name; without a name it is a question", async () => {
    const { runFolder } = await startLibrary();
    await runFolder({
      "catalogue.csv": "slug,title_en,language,file\none,One,en,a.txt\nother,Other,en,a.txt\n",
      "a.txt": "same",
    });
    expect((await runFolder({ "en/other.txt": "same" })).outcome).toEqual(["other known"]);
    expect((await runFolder({ "en/third.txt": "same" })).outcome).toEqual(["one unsure"]);
  });

  it("with the name of a known one, in whose place there are other bytes, needs its title and authors", async () => {
    const { runFolder, listBooks } = await startLibrary();
    const by = (name: string) => `<dc:creator>${name}</dc:creator>`;
    const first = await createTitledEpub("Ананси", "ru", by("Анна"));
    await runFolder({ "0006.epub": first });
    const before = await listBooks();
    for (const [title, author] of [
      ["Колодец", "Анна"],
      ["Ананси", "Борис"],
    ]) {
      const other = await createTitledEpub(title ?? "", "ru", by(author ?? ""));
      const report = await runFolder({ "0006.epub": other }, { overwrites: true });
      expect(report.outcome).toEqual(["0006 unsure"]);
      expect(await listBooks()).toEqual(before);
    }
    const revised = await createTitledEpub("АНАНСИ", "ru", `${by("Анна")}<dc:publisher>Acme</dc:publisher>`);
    expect((await runFolder({ "0006.epub": revised }, { overwrites: true })).outcome).toEqual(["0006 known"]);
    expect((await listBooks())["0006"]?.files).toEqual([line("ru", "epub", revised)]);
    const other = await createTitledEpub("Колодец", "ru");
    const chosen = await runFolder({ "0006.epub": other }, { overwrites: true, isSameBook: true });
    expect(chosen.outcome).toEqual(["0006 known"]);
    expect((await listBooks())["0006"]?.files).toEqual([line("ru", "epub", other)]);
  });

  it("is confirmed by its ISBN", async () => {
    const { runFolder } = await startLibrary();
    const isbn = "<dc:identifier>urn:isbn:9783161484100</dc:identifier>";
    await runFolder({ "well.epub": await createTitledEpub("The Well", "en", isbn) });
    const revised = await createTitledEpub("The Deep Well", "en", isbn);
    expect((await runFolder({ "well.epub": revised })).outcome).toEqual(["well known"]);
    const other = await createTitledEpub("The Deep Well", "en");
    expect((await runFolder({ "well.epub": other })).outcome).toEqual(["well unsure"]);
  });

  it("is confirmed by a slug that was sent", async () => {
    const { runFolder, listBooks } = await startLibrary();
    await runFolder({ "en/well.txt": "one" });
    const catalogue = "slug,title_en,language,file\nwell,Another,en,b.txt\n";
    await runFolder({ "catalogue.csv": catalogue, "b.txt": "other" }, { overwrites: true });
    expect(await listBooks()).toEqual({
      well: { titleEn: "Another", files: [line("en", "txt", "other")] },
    });
  });

  it("doesn't take the place of another one of the same import", async () => {
    const { runFolder, listBooks } = await startLibrary();
    await runFolder({ "en/well.txt": "en" });
    const { outcome } = await runFolder({
      "a/en/well.txt": "en",
      "a/es/well.txt": "es, a",
      "b/en/well.txt": "en",
      "b/es/well.txt": "es, b",
    });
    expect(outcome).toEqual(["well known"]);
    expect((await listBooks()).well?.files).toHaveLength(2);
  });
});

it("is planned likewise, and marked as unsure", async () => {
  const { app, client, runFolder, plan, listBooks } = await startLibrary();
  await runFolder({ "zh/数学 1.txt": "数学", "en/C++.txt": "c++" });
  const before = await listBooks();
  const { books } = await plan({ "ru/Физика 1.txt": "физика", "en/C.txt": "c", "zh/x.txt": "数学" });
  const { id } = (
    await app.container.services.bookList.list({ page: 1, limit: 9, status: "all", search: "C++" })
  ).books[0] ?? { id: "" };
  expect(books.map(({ slug, status, bookId }) => [slug, status, bookId])).toEqual([
    ["1-zzooo4mp", "create", null],
    ["c", "unsure", id],
    ["1-2ma14rrh", "unchanged", expect.any(String)],
  ]);
  expect(books.find(({ slug }) => slug === "c")?.errors).toEqual([
    {
      code: "unsure",
      bookId: id,
      message:
        "It could be the book “C++” (c), which has other bytes or another title. Stored as planned, it becomes that book.",
    },
  ]);
  expect((await client.post(PLANS, { files: [] })).status).toBe(400);
  expect(await listBooks()).toEqual(before);
});

describe("files that say something else than their place", () => {
  it("are imported as their folder says, and named", async () => {
    const { runFolder, plan } = await startLibrary();
    const russian = await createTitledEpub("Очень высокий человек", "ru");
    const spanish = await createTitledEpub("El pozo", "es");
    const files = { "am/man.epub": russian, "es/pozo.epub": spanish };
    const { books } = await plan(files);
    const remarks = books.flatMap((book) => book.files).map((file) => [file.path, file.remarks]);
    expect(remarks).toEqual([
      [
        "am/man.epub",
        [
          {
            code: "language_differs",
            found: "ru",
            expected: "am",
            message: "It says that its language is ru; that of its place is am.",
          },
        ],
      ],
      ["es/pozo.epub", []],
    ]);
    const report = await runFolder(files);
    expect(report.failures).toEqual([]);
    expect(report.summary).toContain(
      "1 file says another language, title or ISBN than folder, name or catalogue, which count:\n  man  am  am/man.epub: its language is ru\n",
    );
    // What isn't stored again isn't named again.
    expect((await runFolder(files)).summary).toBe("2 unchanged books.\n");
  });

  it("are named with the title of a catalogue, or of the book that they become an edition of", async () => {
    const { runFolder } = await startLibrary();
    const files = { "a.epub": await createTitledEpub("La cabra", "es") };
    const rows = "slug,title_en,language,title,file\nwell,The Well,es,El pozo,a.epub\n";
    const report = await runFolder({ ...files, "catalogue.csv": rows });
    expect(report.summary).toContain("  well  es  a.epub: its title is “La cabra”\n");
  });

  it("have their contents known without being read again", async () => {
    const { app, runFolder } = await startLibrary();
    const bytes = await createTitledEpub("Очень высокий человек", "ru");
    await runFolder({ "am/man.epub": bytes });
    expect(await app.container.reads.contents.list([hashBytes(bytes)])).toMatchObject([
      { title: "Очень высокий человек", languageCode: "ru", isUnreadable: 0 },
    ]);
  });
});
