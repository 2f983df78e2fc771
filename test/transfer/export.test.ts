import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { silent } from "../../src/operation/progress.ts";
import { LibraryExport } from "../../src/operation/transfer/export.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { createTitledEpub, writeFiles } from "../support/book-files.ts";
import { createPicture, putCover, readColor } from "../support/covers.ts";
import { runImport } from "../support/library-runs.ts";
import { createMetadataReader } from "../support/metadata-reader.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const exportTo = ({ container }: TestApp, folder: string) =>
  new LibraryExport({ ...container, progress: silent }, folder).run();

const reader = createMetadataReader();

/** What the public and administrators see, without ids, times and versions. */
async function catalogueOf(app: TestApp) {
  const admin = await app.admin();
  const { body: languages } = await admin.get("/api/admin/languages");
  const { body: list } = await admin.get("/api/admin/books?status=active&limit=200");
  const ids: string[] = list.books.map(({ id }: { id: string }) => id);
  const details = await Promise.all(ids.map(async (id) => (await admin.get(`/api/admin/books/${id}`)).body));
  const covers = await Promise.all(
    ids.map(async (id) => (await admin.get(`/api/admin/books/${id}/covers`)).body),
  );
  const text = JSON.stringify({ languages, details, covers }, (key, value) => {
    if (/^(?:id|bookId|languageId|parentId|createdAt|updatedAt|version|coverImagePath|url)$/.test(key))
      return undefined;
    // A cover is encoded again.
    return key === "covers"
      ? value.covers?.map((cover: { languageCode: string }) => cover.languageCode)
      : value;
  });
  return JSON.parse(text);
}

/** A catalogue in which every field says something. */
async function fill(app: TestApp): Promise<void> {
  const admin = await app.admin();
  const portuguese = await app.make.language("pt", {
    customDomain: "pt.example.org",
    legacyDownloadCount: 7,
  });
  await app.make.language("pt-BR", { parentId: portuguese.id });
  await app.make.language("en", { isActive: 0, name: "Plain English", direction: "rtl" });
  const book = await app.make.book("The Deep Well", {
    description: "Two\nlines.",
    sortOrder: 5,
    legacyDownloadCount: 3,
    publishAt: "2026-01-01T00:00:00.000Z",
    unpublishAt: "2027-01-01T00:00:00.000Z",
    authors: ["Ana"],
    tags: ["water"],
    series: { name: "Tales", position: 2 },
    translations: [
      {
        languageCode: "pt",
        title: "O poço",
        description: "Água",
        authors: ["Ana N."],
        contributors: [{ name: "Ben", role: "translator" }, { name: "Cleo" }],
        publisher: "Village",
        license: "CC-BY",
        isbn: "9783161484100",
      },
    ],
  });
  await app.make.book("A book without files");
  const files = `/api/admin/books/${book.id}/files`;
  const upload = (languageCode: string, name: string, bytes: Buffer) =>
    admin.upload("post", files, { fields: { languageCode }, file: { name, bytes } });
  await upload("pt", "o poço.epub", await createTitledEpub("O poço", "pt"));
  await upload("en", "well.txt", Buffer.from("A well."));
  await admin.post(`/api/admin/books/${book.id}/cloud-files`, {
    languageCode: "pt-BR",
    fileType: "pdf",
    sourceType: "url",
    cloudUrl: "https://example.org/well.pdf",
    fileName: "well.pdf",
    fileSizeBytes: 12,
  });
  await putCover(admin, book.id, "default", await createPicture("red"));
  await putCover(admin, book.id, "pt", await createPicture("blue", { type: "png" }));
}

it("writes a folder whose import gives an equal catalogue", async () => {
  const app = await startApp();
  await fill(app);
  const folder = join(createTempFolder(), "new");
  expect(await exportTo(app, folder)).toEqual({ books: 2, files: 2, covers: 2, failures: [] });
  expect(readdirSync(folder, { recursive: true }).map(String).sort()).toEqual([
    "catalogue.json",
    "en",
    "en/the-deep-well.txt",
    "pt",
    "pt/the-deep-well.epub",
    "pt/the-deep-well.png",
    "the-deep-well.jpg",
  ]);
  const other = await startApp();
  expect((await runImport(other, folder, { reader })).failures).toEqual([]);
  expect(await catalogueOf(other)).toEqual(await catalogueOf(app));
  const cover = await other.api.get("/api/books/the-deep-well/cover?languageCode=pt");
  expect(await readColor(cover.body)).toBe("blue");
  // Into the same service it changes nothing, even with --overwrite.
  const before = await catalogueOf(app);
  await runImport(app, folder, { reader, overwrites: true });
  expect(await catalogueOf(app)).toEqual(before);
});

it("makes the folder for a library without books, too", async () => {
  const folder = join(createTempFolder(), "new", "deep");
  expect(await exportTo(await startApp(), folder)).toEqual({ books: 0, files: 0, covers: 0, failures: [] });
  expect(readdirSync(folder)).toEqual(["catalogue.json"]);
});

it("requires a new or empty folder", async () => {
  const app = await startApp();
  const folder = createTempFolder();
  writeFiles(folder, { "old.txt": "old" });
  await expect(exportTo(app, folder)).rejects.toThrow(/isn't empty: it contains old\.txt/);
});

it("names files whose bytes are missing, and exports the rest", async () => {
  const app = await startApp();
  await fill(app);
  const [file] = await app.container.database.read
    .selectFrom("book_files")
    .select("sha256")
    .where("fileType", "=", "txt")
    .execute();
  await app.container.store.remove(file?.sha256 ?? "");
  const report = await exportTo(app, createTempFolder());
  expect(report).toMatchObject({ files: 1, failures: [{ subject: "en/the-deep-well.txt" }] });
});
