/** A folder of books as people send it: names in many ways, copies, files of other types. `messy-folder.ts FOLDER` makes it. */
import { resolve } from "node:path";
import { pdfOf, titledEpub, writeFiles, zipOf } from "./book-files.ts";
import { picture } from "./covers.ts";

/** Writes the files below a folder, which doesn't have to exist. */
export async function makeMessyFolder(folder: string): Promise<void> {
  writeFiles(folder, { ...(await wellNamed()), ...(await misleading()), ...(await useless()) });
}

/** Languages as people write them. */
async function wellNamed() {
  return {
    "Español/El pozo profundo.epub": await titledEpub("El pozo profundo", "en"),
    "Swahili/kisima.pdf": await pdfOf({ info: { Title: "Kisima" } }),
    "moon and fish (french).pdf": await pdfOf({}),
    "moon and fish.png": await picture("blue", { type: "png" }),
    "moon_fish_spanish.pdf": await pdfOf({}),
    "learn-french.epub": await titledEpub("Learn French", "en"),
    "the-hill/es.epub": await titledEpub("La colina", "es"),
    "the-hill/English.pdf": await pdfOf({}),
    "the-sea/cover.jpg": await picture("green"),
    "the-sea/Das Meer.epub": await titledEpub("Das Meer", "de"),
    "the-sea/La mer.epub": await titledEpub("La mer", "fr"),
    "قمر.epub": await titledEpub("قمر", "ar"),
    "0001.EPUB": await titledEpub("Counting", "en"),
  };
}

async function misleading() {
  const moon = await titledEpub("La lune", "fr");
  return {
    "downloads/Deep well.epub": await titledEpub("ཁྲོན་པ།", "bo"),
    "downloads/Poisson.epub": await titledEpub("Le poisson", "fr"),
    "downloads/Zebra.epub": await titledEpub("የሜዳ አህያ", "am"),
    "la-lune.epub": moon,
    "la-lune copy.epub": moon,
    "backup/la-lune.epub": moon,
    "French books/Livre.pdf": await pdfOf({}),
    "French books/Autre livre.pdf": await pdfOf({ info: { Author: "Ana" } }),
    "draft final v2.pdf": await pdfOf({}),
  };
}

async function useless() {
  const book = await titledEpub("Packed", "fr");
  return {
    "all books.zip": await zipOf({ "one.epub": book, "__MACOSX/._one.epub": "x" }),
    "truncated.en.epub": book.subarray(0, 300),
    "empty.en.epub": "",
    "page.en.epub": "<html><body>Not found</body></html>",
    "story.doc": "A story.",
    "old/story 2.DOC": "Another story.",
    "presentation.pptx": "Slides.",
    "photo.heic": "A photo.",
    "photo.jpg": await picture("red"),
    "cover final.psd": "A cover.",
    notes: "No ending.",
    "README.txt": "About these books.",
    "Thumbs.db": "Thumbnails.",
    ".DS_Store": "A folder.",
    "~$draft.docx": "A lock.",
    ".hidden/secret.epub": "A secret.",
  };
}

if (import.meta.main) await makeMessyFolder(resolve(process.argv[2] ?? "messy-books"));
