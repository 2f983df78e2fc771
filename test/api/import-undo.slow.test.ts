/** The undo of imports: what they have made and changed goes back, and what somebody has changed since stays. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { ImportRun } from "../../src/schemas/import-runs.schemas.ts";
import { createAccount } from "../support/accounts.ts";
import { readAuditLog } from "../support/audit-log.ts";
import type { Client } from "../support/client.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { collect, endOf, IMPORTS, run, startImports } from "../support/import-scene.ts";
import { createTxt } from "../support/stored-files.ts";

const DAY = 86_400_000;
const WELL = { "es/the-well.txt": createTxt("El pozo."), "en/the-well.txt": createTxt("The well.") };

async function undo(client: Client, id: string): Promise<ImportRun> {
  const response = await client.post(`${IMPORTS}/${id}/undo`);
  expect([response.status, response.headers.location]).toEqual([202, `${IMPORTS}/${id}`]);
  return endOf(client, id);
}

const catalogueOf = (book: object) => ({
  name: "catalogue.json",
  text: JSON.stringify({ books: [book] }),
});

const details = async (client: Client, id: string) => (await client.get(`/api/admin/books/${id}`)).body;
const NOTHING = { archived: 0, inactive: 0, restored: 0, kept: [] };

describe("an undone import", () => {
  it("archives the books that it has made, and keeps languages", async () => {
    const { client, app } = await startImports();
    const files = { ...WELL, "es/hill.txt": createTxt("La colina.") };
    const { id, undoDays, undoableUntil, startedAt, undo: before } = await run(client, files);
    expect([undoDays, before]).toEqual([30, null]);
    expect(Date.parse(undoableUntil ?? "") - Date.parse(startedAt ?? "")).toBeGreaterThan(29.9 * DAY);
    const undone = await undo(client, id);
    expect(undone).toMatchObject({ state: "done", undo: { ...NOTHING, archived: 2 } });
    const { books } = (await client.get("/api/admin/books?status=all")).body;
    expect(books.map(({ isActive }: { isActive: number }) => isActive)).toEqual([0, 0]);
    expect((await client.get("/api/admin/languages")).body.languages).toHaveLength(2);
    const lines = await readAuditLog(app);
    expect(lines.filter(({ action }) => action === "archive")).toHaveLength(2);
    // Nothing is left to be undone, and the book restored by hand is somebody's change.
    await client.post(`/api/admin/books/${books[0].id}/restore`);
    const kept = [{ bookId: books[0].id, slug: books[0].slug, code: "changed_since" }];
    expect((await undo(client, id)).undo).toMatchObject({ archived: 2, kept });
    expectProblem(await client.post(`${IMPORTS}/${id}/start`), 409, { code: "import_done" });
  });

  it.each([
    [
      "its title",
      (client: Client, id: string) => client.put(`/api/admin/books/${id}`, { titleEn: "Spring" }),
    ],
    [
      "an edition",
      (client: Client, id: string) =>
        client.post(`/api/admin/books/${id}/translations`, { languageCode: "es", title: "Pozo" }),
    ],
    [
      "a file of another format",
      (client: Client, id: string) =>
        client.upload("post", `/api/admin/books/${id}/files`, {
          file: { bytes: createTxt("more"), name: "more.txt" },
          fields: { languageCode: "fr", fileType: "txt" },
        }),
    ],
  ])("keeps a new book of which somebody has changed %s", async (_, change) => {
    const { client, make } = await startImports();
    await make.language("fr");
    const { id, result } = await run(client, { ...WELL, "es/hill.txt": createTxt("La colina.") });
    const well = result?.books.find(({ slug }) => slug === "the-well");
    const bookId = well?.bookId ?? "";
    expect((await change(client, bookId)).status).toBeLessThan(300);
    expect((await undo(client, id)).undo).toMatchObject({
      archived: 1,
      kept: [{ bookId, slug: "the-well", code: "changed_since", reason: "It was changed since the import." }],
    });
    expect((await details(client, bookId)).book.isActive).toBe(1);
  });

  it("makes files inactive and empties texts that it has added to known books", async () => {
    const { client, make } = await startImports();
    await make.language("en");
    const { book } = await make.published("The Well", "es", "El pozo.");
    const before = await details(client, book.id);
    const catalogue = catalogueOf({
      slug: book.slug,
      titleEn: "The Well",
      description: "A story.",
      authors: ["Ana Núñez"],
      series: { name: "Wells", position: 2 },
      publishAt: "2026-01-01T00:00:00Z",
      unpublishAt: "2027-01-01T00:00:00Z",
      translations: [
        { languageCode: "en", title: "The Well", publisher: "Pozo Press" },
        { languageCode: "es", title: "El pozo", description: "Un cuento." },
      ],
      localFiles: [
        { languageCode: "es", path: "es/the-well.txt" },
        { languageCode: "en", path: "en/the-well.txt" },
      ],
      files: [
        {
          languageCode: "en",
          fileType: "pdf",
          sourceType: "url",
          cloudUrl: "https://books.example.org/well.pdf",
          fileName: "well.pdf",
        },
      ],
    });
    const imported = await run(client, WELL, { catalogue });
    expect(imported.result?.failed).toEqual([]);
    expect((await details(client, book.id)).book).toMatchObject({
      description: "A story.",
      authors: ["Ana Núñez"],
      unpublishAt: "2027-01-01T00:00:00.000Z",
    });
    const { undo: undone } = await undo(client, imported.id);
    expect(undone).toEqual({ archived: 0, inactive: 2, restored: 7, kept: [] });
    const after = await details(client, book.id);
    expect(after.book).toEqual({ ...before.book, updatedAt: after.book.updatedAt });
    expect(after.translations).toEqual(before.translations);
    expect(after.files.filter(({ isActive }: { isActive: number }) => isActive === 1)).toEqual(before.files);
    const active = await readCount(client, "The Well");
    expect(active).toBe(1);
  });

  it("gives back what it has overwritten", async () => {
    const { client, make } = await startImports();
    const { book } = await make.published("The Well", "es", "Antes.");
    await client.put(`/api/admin/books/${book.id}`, { description: "Before.", tags: ["water"] });
    const title = { languageCode: "es", title: "Un pozo", description: "Antes.", authors: ["Ana"] };
    await client.post(`/api/admin/books/${book.id}/translations`, title);
    const before = await details(client, book.id);
    const catalogue = catalogueOf({
      slug: book.slug,
      titleEn: "The Deep Well",
      description: "After.",
      tags: ["stone"],
      translations: [{ languageCode: "es", title: "El pozo", description: "Después.", authors: ["Ben"] }],
      localFiles: [{ languageCode: "es", path: "es/the-well.txt" }],
    });
    const files = { "es/the-well.txt": createTxt("Después.") };
    const imported = await run(client, files, { catalogue, rules: { overwrite: true } });
    expect(imported.result?.books).toMatchObject([{ status: "update", files: [{ status: "replace" }] }]);
    const changed = await details(client, book.id);
    expect(changed.files[0].sha256).not.toBe(before.files[0].sha256);
    expect(changed.book.titleEn).toBe("The Deep Well");
    const { undo: undone } = await undo(client, imported.id);
    expect(undone).toEqual({ archived: 0, inactive: 0, restored: 8, kept: [] });
    const after = await details(client, book.id);
    const facts = ({ book: b, translations, files: all }: typeof after) => ({
      book: { ...b, updatedAt: "" },
      translations: translations.map((each: object) => ({ ...each, updatedAt: "" })),
      files: all.map((each: object) => ({ ...each, updatedAt: "", replaced: [] })),
    });
    expect(facts(after)).toEqual(facts(before));
  });

  it("keeps fields and files that somebody has changed since, and gives back the others", async () => {
    const { client, make } = await startImports();
    const { book, file } = await make.published("The Well", "es", "Antes.");
    await client.put(`/api/admin/books/${book.id}`, { description: "Before.", tags: ["water"] });
    const catalogue = catalogueOf({
      slug: book.slug,
      titleEn: "The Well",
      description: "After.",
      tags: ["stone"],
      localFiles: [{ languageCode: "es", path: "es/the-well.txt" }],
    });
    const files = { "es/the-well.txt": createTxt("Después.") };
    const { id } = await run(client, files, { catalogue, rules: { overwrite: true } });
    await client.put(`/api/admin/books/${book.id}`, { description: "By hand." });
    const byHand = { file: { bytes: createTxt("Hoy."), name: "today.txt" } };
    await client.upload("put", `/api/admin/books/${book.id}/files/${file.id}`, byHand);
    expect((await undo(client, id)).undo).toMatchObject({
      restored: 1,
      kept: [{ bookId: book.id, slug: book.slug, code: "changed_since" }],
    });
    const after = await details(client, book.id);
    expect(after.book).toMatchObject({ description: "By hand.", tags: ["water"] });
    expect(after.files).toMatchObject([{ fileName: "today.txt", isActive: 1 }]);
  });

  it("names former contents and texts that are gone", async () => {
    const { client, make } = await startImports();
    const { book, file } = await make.published("The Well", "es", "Antes.");
    const tags = Array.from({ length: 50 }, (_, index) => `${index} ${"x".repeat(95)}`);
    const authors = Array.from({ length: 50 }, (_, index) => `${index} ${"a".repeat(197)}`);
    const put = await client.put(`/api/admin/books/${book.id}`, { authors, tags });
    expect(put.status).toBe(200);
    const catalogue = catalogueOf({
      slug: book.slug,
      titleEn: "The Well",
      authors: ["Ana"],
      tags: ["stone"],
      localFiles: [{ languageCode: "es", path: "es/the-well.txt" }],
    });
    const files = { "es/the-well.txt": createTxt("Después.") };
    const { id } = await run(client, files, { catalogue, rules: { overwrite: true } });
    const path = `/api/admin/books/${book.id}/files/${file.id}`;
    const { replaced } = (await details(client, book.id)).files[0];
    expect((await client.delete(`${path}/replaced/${replaced[0].sha256}`)).status).toBe(200);
    const { undo: undone } = await undo(client, id);
    expect(undone?.kept.map(({ code }) => code).sort()).toEqual(["content_gone", "not_recorded"]);
    expect((await details(client, book.id)).book).toMatchObject({ tags, authors: ["Ana"] });
  });

  it("keeps the title of an edition whose file somebody has changed since, and gives back covers", async () => {
    const { client, make } = await startImports();
    await make.language("en");
    const { book } = await make.published("The Well", "es", "El pozo.");
    const picture = (color: string) =>
      sharp({ create: { width: 40, height: 60, channels: 3, background: color } });
    const put = { file: { bytes: await picture("red").png().toBuffer(), name: "red.png" } };
    expect((await client.upload("put", `/api/admin/books/${book.id}/covers/es`, put)).status).toBe(200);
    const before = (await details(client, book.id)).covers[0].sha256;
    const catalogue = catalogueOf({
      slug: book.slug,
      titleEn: "The Well",
      translations: [{ languageCode: "en", title: "A Well" }],
      localFiles: [{ languageCode: "en", path: "en/the-well.txt" }],
      localCovers: [
        { languageCode: "es", path: "blue.png" },
        { languageCode: "en", path: "blue.png" },
      ],
    });
    const files = { ...WELL, "blue.png": await picture("blue").png().toBuffer() };
    const { id, result } = await run(client, files, { catalogue, rules: { overwrite: true } });
    expect(result?.failed).toEqual([]);
    const made = (await details(client, book.id)).files.find(
      ({ languageCode }: { languageCode: string }) => languageCode === "en",
    );
    const path = `/api/admin/books/${book.id}/files/${made.id}`;
    expect((await client.patch(path, { fileName: "mine.txt" })).status).toBe(200);
    const { undo: undone } = await undo(client, id);
    expect(undone).toMatchObject({ inactive: 0, restored: 2, kept: [{ code: "changed_since" }] });
    const after = await details(client, book.id);
    expect(after.translations).toMatchObject([{ languageCode: "en", title: "A Well" }]);
    expect(after.covers).toMatchObject([{ languageCode: "es", sha256: before }]);
  });
});

const readCount = async (client: Client, search: string): Promise<number> =>
  (await client.get(`/api/books?languageCode=es&search=${encodeURIComponent(search)}`)).body.books.length;

describe("the undo of an import", () => {
  it("waits for the end, and for the user's other imports", async () => {
    const { client, app } = await startImports();
    const { id } = await collect(client, WELL);
    expectProblem(await client.post(`${IMPORTS}/${id}/undo`), 409, { code: "import_not_ended" });
    await client.delete(`${IMPORTS}/${id}`);
    expect((await undo(client, id)).undo).toEqual(NOTHING);
    const anna = (await createAccount(app, "editor")).client;
    expectProblem(await anna.post(`${IMPORTS}/${id}/undo`), 404, { code: "import_not_found" });
  });

  it("ends with the days for which replaced files are kept", async () => {
    const { client, app } = await startImports({ REPLACED_FILES_DAYS: "3" });
    const { id, undoDays } = await run(client, WELL);
    expect(undoDays).toBe(3);
    app.clock.advance(3 * DAY + 5 * 60_000);
    const later = (await createAccount(app)).client;
    expectProblem(await later.post(`${IMPORTS}/${id}/undo`), 409, { code: "import_undo_expired" });
  });

  it("covers each start of an import that was cancelled in between", async () => {
    const { client } = await startImports();
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`es/book-${index}.txt`, createTxt(`Libro ${index}.`)]),
    );
    const { id } = await collect(client, many);
    await client.post(`${IMPORTS}/${id}/start`);
    await client.delete(`${IMPORTS}/${id}`);
    await endOf(client, id);
    await client.post(`${IMPORTS}/${id}/start`);
    await endOf(client, id);
    expect((await undo(client, id)).undo).toEqual({ ...NOTHING, archived: 60 });
  });
});
