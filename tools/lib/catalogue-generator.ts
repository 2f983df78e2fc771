/** Makes a catalogue of any size: the same for the same number of books, written past all repositories. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { BookTrigrams } from "../../src/db/sqlite/book-trigrams.ts";
import { type Connection, openWriter } from "../../src/db/sqlite/connection.ts";
import { openSqlite } from "../../src/db/sqlite/database.ts";
import { findDirection, findLanguageNames } from "../../src/lib/bcp47.ts";
import { createSearchText, foldWords } from "../../src/lib/text.ts";

const CODES =
  "en es fr ar zh ru pt de hi bn ja ko it tr vi fa ur sw am ha yo ig zu xh af nl sv no da fi pl cs sk hu ro bg el he th id ms tl ta te ml kn mr gu pa ne si km".split(
    " ",
  );
/** They inherit the files of their parents. */
const SUB_LANGUAGES = { "es-MX": "es", "pt-BR": "pt", "fr-CA": "fr", "zh-TW": "zh" };
/** Of all languages, with the sub-languages. */
export const GENERATED_LANGUAGES = [...CODES, ...Object.keys(SUB_LANGUAGES)];
export const LANGUAGES_PER_BOOK = 10;
/** Prime to the number of languages: each book has ten different ones, and each language as many books. */
const STEP = 5;
const START = Date.parse("2026-01-01T00:00:00Z");
/** One book in so many has this word in its text. */
export const RARE = { word: "quixotic", every: 1000 };
const DESCRIPTION =
  "Of what lay at the bottom of the well, and of those who went down to look for it. ".repeat(4);

export const bookIdOf = (number: number): string => `01a1fb60-1a34-7b00-a309-${tailOf(number)}`;
const tailOf = (number: number): string => number.toString(16).padStart(12, "0");

/** Makes the database at `file`, which isn't there yet. */
export async function generateCatalogue(file: string, books: number): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  await (await openSqlite(file, dirname(file))).close();
  const connection = openWriter(file);
  const trigrams = new BookTrigrams(connection);
  connection.exec("begin");
  const languageIds = addLanguages(connection);
  const addBook = bookAdder(connection, languageIds);
  for (let number = 1; number <= books; number += 1) addBook(number);
  connection.exec(BOOK_TEXTS);
  await trigrams.indexChanged();
  connection.exec("commit");
  connection.close();
}

/** What the repositories of books and translations keep with each row. */
export const BOOK_TEXTS = `insert into book_texts (bookId, searchText) select id, searchText || coalesce(char(10) ||
  (select string_agg(searchText, char(10) order by id) from translations where translations.bookId = books.id), '') from books`;

function addLanguages(connection: Connection): number[] {
  const add = connection.prepare<unknown[], { id: number }>(
    `insert into languages (code, codeKey, name, nativeName, direction, parentId, legacyDownloadCount, isActive, createdAt, updatedAt)
     values (?, ?, ?, ?, ?, (select id from languages where code = ?), 0, 1, ?, ?) returning id`,
  );
  const parents = new Map(Object.entries(SUB_LANGUAGES));
  return GENERATED_LANGUAGES.map((code) => {
    const { name, nativeName } = findLanguageNames(code);
    const texts = [code, code.toLowerCase(), name, nativeName, findDirection(code)];
    const row = add.get(...texts, parents.get(code) ?? null, START, START);
    if (!row) throw new Error(`${code} has no id`);
    return row.id;
  });
}

function bookAdder(connection: Connection, languageIds: readonly number[]): (number: number) => void {
  const book = connection.prepare(
    `insert into books (id, slug, titleEn, description, sortOrder, legacyDownloadCount, isActive, searchText, createdAt, updatedAt)
     values (?, ?, ?, ?, ?, 0, 1, ?, ?, ?)`,
  );
  const translation = connection.prepare(
    `insert into translations (id, bookId, languageId, title, description, searchText, createdAt, updatedAt)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const file = connection.prepare(
    `insert into book_files (id, bookId, languageId, fileType, sourceType, fileName, fileSizeBytes, cloudUrl, downloadCount, isActive, createdAt, updatedAt)
     values (?, ?, ?, 'pdf', 'url', ?, 1000000, ?, 0, 1, ?, ?)`,
  );
  return (number) => {
    const id = bookIdOf(number);
    const description = number % RARE.every === 0 ? `${DESCRIPTION}${RARE.word}` : DESCRIPTION;
    const searched = (title: string) => createSearchText([title, foldWords(description)]);
    const titleEn = `Book number ${number}`;
    book.run(id, `book-${number}`, titleEn, description, number, searched(titleEn), START, START);
    for (let place = 0; place < LANGUAGES_PER_BOOK; place += 1) {
      const languageId = languageIds[(number + place * STEP) % languageIds.length];
      const tail = tailOf(number * LANGUAGES_PER_BOOK + place);
      const title = `Title ${number} in ${languageId}`;
      const texts = [title, description, searched(title)];
      translation.run(`01a1fb60-1a34-7c00-a309-${tail}`, id, languageId, ...texts, START, START);
      const link = `https://files.example.org/${number}/${languageId}.pdf`;
      file.run(`01a1fb60-1a34-7d00-a309-${tail}`, id, languageId, `book-${number}.pdf`, link, START, START);
    }
  };
}
