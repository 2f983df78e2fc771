/** What an import says before it writes, and what it makes of many books. */
import { expect, it } from "vitest";
import type { ImportPlan } from "../../src/schemas/imports.schemas.ts";
import { createTitledEpub, writeFiles } from "../support/book-files.ts";
import { run, startImports } from "../support/import-scene.ts";
import { type Files, runImport } from "../support/library-runs.ts";
import { createMetadataReader } from "../support/metadata-reader.ts";
import { createTxt } from "../support/stored-files.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const reader = createMetadataReader();
/** More than twice as many as are planned together. */
const BOOKS = 120;

const otherBooks = (count: number): Files =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const name = `book-${String(index).padStart(3, "0")}`;
      return [`${name}/es/${name}.txt`, createTxt(`Text ${index}`)];
    }),
  );

it("names the new books and languages before anything is written", async () => {
  const { app, make, client } = await startImports();
  await make.published("Book 001", "es", "Text 1");
  const folder = createTempFolder();
  writeFiles(folder, { ...otherBooks(BOOKS), "book-007/ar/book-007.txt": createTxt("Arabic") });
  const announced: unknown[] = [];
  const report = await runImport(app, folder, {
    reader,
    announce: (newBooks) => announced.push(newBooks.map(({ wanted: { slug } }) => slug)),
  });
  const made = report.plans.filter(({ bookId }) => bookId === undefined);
  expect(announced).toEqual([made.map(({ wanted: { slug } }) => slug)]);
  expect(made).toHaveLength(BOOKS - 1);
  const { body } = await client.get("/api/admin/books?limit=1");
  expect(body.pagination.total).toBe(BOOKS);
});

it("makes another book of an unsure one, and not by the slug of one that comes much later", async () => {
  const { make, client, plan, send } = await startImports();
  await make.language("es");
  await run(client, { "es/well.epub": await createTitledEpub("Otro pozo", "es") });
  const between = Array.from({ length: BOOKS }, (_, index) => [`es/well-1-${index}.txt`, `Text ${index}`]);
  const files: Files = {
    "es/well.epub": await createTitledEpub("El pozo hondo", "es"),
    ...Object.fromEntries(between),
    "es/well-2.epub": await createTitledEpub("El pozo seco", "es"),
  };
  const { books } = await plan(files);
  const slugs = books.map(({ slug }) => slug);
  expect(slugs.indexOf("well-2") - slugs.indexOf("well")).toBeGreaterThan(BOOKS);
  expect(books[0]).toMatchObject({ slug: "well", status: "unsure" });
  const corrections = [{ path: "es/well.epub", book: "new" }];
  const planned: ImportPlan = (await send(files, { corrections })).body;
  const { result } = await run(client, files, { corrections });
  for (const each of [planned.books, result?.books ?? []]) {
    const ofEpubs = each.filter((book) => book.files.some(({ path }) => path.endsWith(".epub")));
    expect(ofEpubs.map(({ slug, status, files: [file] }) => [slug, status, file?.path])).toEqual([
      ["well-3", "create", "es/well.epub"],
      ["well-2", "create", "es/well-2.epub"],
    ]);
  }
  for (const [slug, title] of [
    ["well", "Otro pozo"],
    ["well-2", "El pozo seco"],
    ["well-3", "El pozo hondo"],
  ]) {
    const { body } = await client.get(`/api/books/${slug}`);
    expect([body.translations, body.files.length]).toMatchObject([[{ title }], 1]);
  }
});
