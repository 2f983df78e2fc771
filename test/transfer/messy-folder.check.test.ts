/** A folder as people send it: each file is imported or named, and the report says what was read into names. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { SourceOptions } from "../../src/operation/transfer/open-source.ts";
import { formatFailures, importSummary, importTable } from "../../src/operation/transfer/report.ts";
import { describeReport } from "../../src/operation/transfer/reported.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { createPdf, createTitledEpub, writeFiles, zipOf } from "../support/book-files.ts";
import { createPicture } from "../support/covers.ts";
import { runImport } from "../support/library-runs.ts";
import { makeMessyFolder } from "../support/messy-folder.ts";
import { createMetadataReader } from "../support/metadata-reader.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const reader = createMetadataReader();

const run = (app: TestApp, folder: string, source: Partial<SourceOptions> = {}) =>
  runImport(app, folder, { reader, keepsKnown: source.keepsKnown ?? false, source });

const messyFolder = async (): Promise<string> => {
  const folder = createTempFolder();
  await makeMessyFolder(folder);
  return folder;
};

const IGNORED = [
  "$RECYCLE.BIN/S-1-5-21/$R1A2B3.txt",
  ".DS_Store",
  ".hidden/secret.epub",
  "Thumbs.db",
  "~$draft.docx",
];

it("is imported, and each file that isn't imported is named", async () => {
  const app = await startApp();
  const folder = await messyFolder();
  const report = await run(app, folder);
  const books = report.plans.map(({ wanted: { slug, files, covers } }) => [
    slug,
    ...files.map(({ languageCode, file }) => `${languageCode} ${file.place}`),
    ...covers.map(({ subject }) => subject),
  ]);
  expect(books).toEqual([
    ["0001", "en 0001.EPUB"],
    ["book-3abwnt0c", "ar قمر.epub"],
    ["deep-well", "bo downloads/Deep well.epub"],
    ["el-pozo-profundo", "es Español/El pozo profundo.epub"],
    ["kisima", "sw Swahili/kisima.pdf"],
    ["la-lune", "fr backup/la-lune.epub"],
    ["learn-french", "en learn-french.epub"],
    ["moon-and-fish", "fr moon and fish (french).pdf", "moon and fish.png"],
    ["moon-fish", "es moon_fish_spanish.pdf"],
    ["poisson", "fr downloads/Poisson.epub"],
    ["the-hill", "en the-hill/English.pdf", "es the-hill/es.epub"],
    ["the-sea", "de the-sea/Das Meer.epub", "fr the-sea/La mer.epub", "the-sea/cover.jpg"],
    ["zebra", "am downloads/Zebra.epub"],
  ]);
  expect(formatFailures(report.failures)).toEqual([
    "Failed: all books.zip: It contains 1 book; unpack it first, or name it in a catalogue.",
    "Failed: empty.en.epub: The file is empty, not an EPUB book.",
    "Failed: page.en.epub: The file is an HTML document, not an EPUB book.",
    "Failed: truncated.en.epub: The file is a damaged ZIP archive, not an EPUB book. It may be incomplete: copy it again from its source.",
    "Failed: 3 times: Its language is unknown. Put it in a folder such as en/ or English/, name it book.en.pdf, or set --language.",
    "  French books/Autre livre.pdf (did you mean fr (French)?)",
    "  French books/Livre.pdf (did you mean fr (French)?)",
    "  draft final v2.pdf",
  ]);
  expect(importSummary(describeReport(report), false).split("\n")).toEqual([
    "Left out: 6 files of other types (.doc 2, .psd 1, no ending 1, .heic 1, .pptx 1)",
    "  cover final.psd",
    "  notes",
    "  old/story 2.DOC",
    "  photo.heic",
    "  presentation.pptx",
    "  story.doc",
    "Left out: 1 text about the collection",
    "  README.txt",
    "Left out: 1 image that is the cover of no book",
    "  photo.jpg",
    "Left out: 2 files with the bytes of another file; --keep-known imports them",
    "  la-lune copy.epub: identical to backup/la-lune.epub",
    "  la-lune.epub: identical to backup/la-lune.epub",
    "Separate books: files with different names in 1 folder; a cover.jpg in the folder, or --group folder, makes one book of them",
    "  downloads: 3 names",
    "One book: files with different names in 1 folder with a cover; --group name makes separate books of them",
    "  the-sea: 2 names",
    "1 file says another language, title or ISBN than folder, name or catalogue, which count:",
    "  el-pozo-profundo  es  Español/El pozo profundo.epub: its language is en",
    "8 new languages, 13 new books, 15 new files, 2 covers, 7 failures.",
    "",
  ]);
  expect(importTable(describeReport(report)).split("\n").slice(0, 2)).toEqual([
    "New languages: am (Amharic), ar (Arabic), bo (Tibetan), de (German), en (English), es (Spanish), fr (French), sw (Swahili)",
    "Names that were read as languages: Español es, Swahili sw, french fr, spanish es, English en",
  ]);
  expect(importTable(describeReport(report))).toMatch(/^Generated slugs: .*\n {2}book-3abwnt0c: قمر\.epub$/m);

  const named = [...report.failures, ...report.remarks].map(({ subject }) => subject);
  const imported = report.plans.flatMap(({ wanted: { files, covers } }) => [
    ...files.map(({ file }) => file.place),
    ...covers.map(({ subject }) => subject),
  ]);
  const places = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  expect(places.filter((place) => ![...named, ...imported].includes(place)).sort()).toEqual(IGNORED);
});

it("is imported with its duplicates if they are kept", async () => {
  const report = await run(await startApp(), await messyFolder(), { keepsKnown: true });
  const places = report.plans.flatMap(({ wanted }) => wanted.files.map(({ file }) => file.place));
  expect(places).toEqual(expect.arrayContaining(["la-lune copy.epub", "la-lune.epub"]));
  expect(formatFailures(report.failures)).toContain(
    "Failed: backup/la-lune.epub: Its name is that of another book. Rename one, use --group folder, or list both in a catalogue. (as la-lune.epub, both French)",
  );
});

it("is grouped by folder or by name on demand", async () => {
  const folder = createTempFolder();
  writeFiles(folder, {
    "a/Well.en.txt": "A well.",
    "a/Pozo.es.txt": "Un pozo.",
    "a/cover.jpg": await createPicture("red"),
    "b/Hill.en.txt": "A hill.",
  });
  const slugs = async (grouping: "folder" | "name") => {
    const { plans, remarks } = await run(await startApp(), folder, { grouping });
    return [plans.map(({ wanted }) => wanted.slug), remarks.map(({ kind }) => kind)];
  };
  expect(await slugs("folder")).toEqual([["a", "b"], []]);
  expect(await slugs("name")).toEqual([["hill", "pozo", "well"], ["noBook"]]);
});

it("reports the files that a catalogue doesn't name", async () => {
  const folder = createTempFolder();
  writeFiles(folder, {
    "files/well.epub": await createTitledEpub("The Well", "en"),
    "files/hill.epub": await createTitledEpub("The Hill", "en"),
    "files/broken.epub": "broken",
    "files/notes.doc": "Notes.",
    "files/packed.zip": await zipOf({ "one.epub": "x" }),
    "files/.hidden": "Hidden.",
    "catalogue.csv":
      "title,language,file\nWell,en,files/well.epub\nBroken,en,files/broken.epub\nPacked,en,files/packed.zip",
    "catalogue.xlsx": "A workbook.",
  });
  const report = await run(await startApp(), folder);
  expect(
    importSummary(describeReport(report), false),
  ).toBe(`Left out: 3 files that no imported book of the catalogue names (.xlsx 1, .epub 1, .doc 1)
  catalogue.xlsx
  files/hill.epub
  files/notes.doc
Read catalogue.csv, not catalogue.xlsx beside it; --catalogue names another one.
skipped    broken  none of its files can be imported
1 new language, 2 new books, 2 new files, 1 skipped book, 1 failure.
`);
});

it("has archives of recordings, each of which becomes a book", async () => {
  const folder = createTempFolder();
  writeFiles(folder, {
    "en/audio.zip": await zipOf({ "01.mp3": "x", "booklet.pdf": "x" }),
    "en/page.zip": await zipOf({ "index.html": "x", "print.pdf": "x" }),
    "en/two.zip": await zipOf({ "a/one.pdf": await createPdf({}), "a/two.docx": "x", "a/.three.pdf": "x" }),
  });
  const { plans, failures } = await run(await startApp(), folder);
  expect(plans.map(({ wanted }) => wanted.slug)).toEqual(["audio", "page"]);
  expect(failures).toEqual([
    {
      subject: "en/two.zip",
      code: "books_inside",
      reason: expect.stringMatching(/^It contains 2 books; unpack it first/),
    },
  ]);
});
