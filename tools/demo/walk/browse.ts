// What a visitor sees: the languages, the published books of each, one book.

import type { ServiceClient } from "../../lib/service-client.ts";
import { demoBooks, demoLanguages } from "../catalogue.ts";
import type { Loaded } from "../load.ts";
import { DETAIL_INDENT, formatCount, type Report } from "../print.ts";
import * as responses from "../responses.ts";
import { layOutTable, padEnd, wrapItems } from "../text-width.ts";
import { expectSame, present } from "./expect.ts";

const SHOWN_BOOK = "a-well-for-everyone";
const CODE_CELLS = 4;

export async function browse(report: Report, { reader }: Loaded): Promise<void> {
  report.heading("What readers see");
  await report.step("List the languages", () => listLanguages(reader));
  for (const { code, name } of demoLanguages) {
    await report.step(`List the books in ${name}`, () => listBooks(reader, code, report.width));
  }
  await report.step("Get one book", () => showBook(reader));
}

async function listLanguages(reader: ServiceClient) {
  const { languages } = await reader.get("/api/languages", responses.languages);
  const counts = Object.fromEntries(languages.map(({ code, booksCount }) => [code, booksCount]));
  const expected = Object.fromEntries(demoLanguages.map(({ code }) => [code, listTitles(code).length]));
  expectSame(counts, expected, "published books by language");
  return { result: `${languages.length} languages with books`, value: undefined };
}

async function listBooks(reader: ServiceClient, code: string, width: number) {
  const { books } = await reader.get(`/api/books?languageCode=${code}`, responses.publicBooks);
  const titles = books.map(({ title }) => title);
  expectSame(titles, listTitles(code), `the books in ${code}`);
  const files = books.flatMap((book) => book.files);
  const lines = wrapItems(titles, " · ", width - DETAIL_INDENT - CODE_CELLS);
  return {
    result: `${formatCount(books.length, "book")}, ${formatCount(files.length, "file")}`,
    details: lines.map((line, index) => padEnd(index === 0 ? code : "", CODE_CELLS) + line),
    value: undefined,
  };
}

async function showBook(reader: ServiceClient) {
  const book = await reader.get(`/api/books/${SHOWN_BOOK}`, responses.publicBookDetails);
  const source = present(
    demoBooks.find(({ slug }) => slug === SHOWN_BOOK),
    "no such demo book",
  );
  const titles = Object.fromEntries(
    book.translations.map(({ languageCode, title }) => [languageCode, title]),
  );
  const expected = Object.fromEntries(
    source.translations.map(({ languageCode, title }) => [languageCode, title]),
  );
  expectSame(titles, expected, "the titles of the book");
  const rows = book.translations.map(({ languageCode, title }) => [
    languageCode,
    book.files
      .filter((file) => file.languageCode === languageCode)
      .map(({ fileType }) => fileType)
      .join(", "),
    title,
  ]);
  return {
    result: `${book.titleEn}: ${book.translations.length} languages`,
    details: layOutTable(rows, ["left", "left", "left"]),
    value: undefined,
  };
}

function listTitles(code: string): string[] {
  return demoBooks.flatMap(({ translations }) =>
    translations.filter(({ languageCode }) => languageCode === code).map(({ title }) => title),
  );
}
