/** A library of 45 books with 70 EPUBs in ten languages. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createTitledEpub } from "./book-files.ts";
import type { TestApp } from "./service.ts";

const LANGUAGES = ["en", "es", "ar", "fr", "de", "pt", "sw", "hi", "zh", "ru"] as const;
const BOOKS = 45;
/** So many books are in a second language. */
const TRANSLATED = 25;

const titleOf = (book: number): string => `Tale ${book}`;
const languageOf = (index: number): string => LANGUAGES[index % LANGUAGES.length] ?? "";

/** Each with its book, counted from 1. */
export const FILES = Array.from({ length: BOOKS + TRANSLATED }, (_, index) => {
  const book = (index % BOOKS) + 1;
  return { book, languageCode: languageOf(index < BOOKS ? book : book + 1) };
});

export const readEpub = (title: string, languageCode: string): Promise<Buffer> =>
  createTitledEpub(`${title} in ${languageCode}`, languageCode);

/** Writes some of the EPUBs into a folder for each language. */
export async function writeLibrary(folder: string, files: typeof FILES): Promise<void> {
  for (const { book, languageCode } of files) {
    const path = join(folder, languageCode, `tale-${book}.epub`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, await readEpub(titleOf(book), languageCode));
  }
}

/** Adds the library to the books and languages of a service. @returns the titles in their order */
export async function stockLibrary({ admin: logIn, make }: Pick<TestApp, "admin" | "make">) {
  const admin = await logIn();
  const { body } = await admin.get("/api/admin/languages");
  const known = new Set(body.languages.map(({ code }: { code: string }) => code));
  for (const code of LANGUAGES) if (!known.has(code)) await make.language(code);
  const ids: string[] = [];
  const titles = Array.from({ length: BOOKS }, (_, index) => titleOf(index + 1));
  for (const title of titles) ids.push((await make.book(title)).id);
  for (const { book, languageCode } of FILES) {
    const { status } = await admin.upload("post", `/api/admin/books/${ids[book - 1]}/files`, {
      fields: { languageCode },
      file: { bytes: await readEpub(titleOf(book), languageCode), name: `tale-${book}.epub` },
    });
    assert.equal(status, 201);
  }
  return { titles, idOf: (title: string) => ids[titles.indexOf(title)] };
}
