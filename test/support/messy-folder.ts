/** A folder of books as people send it: names in many ways, copies, files of other types. `messy-folder.ts FOLDER` makes it. */
import { resolve } from "node:path";
import { createPdf, createTitledEpub, writeFiles, zipOf } from "./book-files.ts";
import { createPicture } from "./covers.ts";

/** Writes the files below a folder, which doesn't have to exist. */
export async function makeMessyFolder(folder: string): Promise<void> {
  writeFiles(folder, {
    ...(await createWellNamed()),
    ...(await createMisleading()),
    ...(await createUseless()),
  });
}

/** Languages as people write them. */
async function createWellNamed() {
  return {
    "Español/El pozo profundo.epub": await createTitledEpub("El pozo profundo", "en"),
    "Swahili/kisima.pdf": await createPdf({ info: { Title: "Kisima" } }),
    "moon and fish (french).pdf": await createPdf({}),
    "moon and fish.png": await createPicture("blue", { type: "png" }),
    "moon_fish_spanish.pdf": await createPdf({}),
    "learn-french.epub": await createTitledEpub("Learn French", "en"),
    "the-hill/es.epub": await createTitledEpub("La colina", "es"),
    "the-hill/English.pdf": await createPdf({}),
    "the-sea/cover.jpg": await createPicture("green"),
    "the-sea/Das Meer.epub": await createTitledEpub("Das Meer", "de"),
    "the-sea/La mer.epub": await createTitledEpub("La mer", "fr"),
    "قمر.epub": await createTitledEpub("قمر", "ar"),
    "0001.EPUB": await createTitledEpub("Counting", "en"),
  };
}

async function createMisleading() {
  const moon = await createTitledEpub("La lune", "fr");
  return {
    "downloads/Deep well.epub": await createTitledEpub("ཁྲོན་པ།", "bo"),
    "downloads/Poisson.epub": await createTitledEpub("Le poisson", "fr"),
    "downloads/Zebra.epub": await createTitledEpub("የሜዳ አህያ", "am"),
    "la-lune.epub": moon,
    "la-lune copy.epub": moon,
    "backup/la-lune.epub": moon,
    "French books/Livre.pdf": await createPdf({}),
    "French books/Autre livre.pdf": await createPdf({ info: { Author: "Ana" } }),
    "draft final v2.pdf": await createPdf({}),
  };
}

async function createUseless() {
  const book = await createTitledEpub("Packed", "fr");
  return {
    "all books.zip": await zipOf({ "one.epub": book, "__MACOSX/._one.epub": "x" }),
    "truncated.en.epub": book.subarray(0, 300),
    "empty.en.epub": "",
    "page.en.epub": "<html><body>Not found</body></html>",
    "story.doc": "A story.",
    "old/story 2.DOC": "Another story.",
    "presentation.pptx": "Slides.",
    "photo.heic": "A photo.",
    "photo.jpg": await createPicture("red"),
    "cover final.psd": "A cover.",
    notes: "No ending.",
    "README.txt": "About these books.",
    "Thumbs.db": "Thumbnails.",
    "$RECYCLE.BIN/S-1-5-21/$R1A2B3.txt": "A deleted book.",
    ".DS_Store": "A folder.",
    "~$draft.docx": "A lock.",
    ".hidden/secret.epub": "A secret.",
  };
}

if (import.meta.main) await makeMessyFolder(resolve(process.argv[2] ?? "messy-books"));
