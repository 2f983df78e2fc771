/** Finding what a request names, with the one answer for what isn't there. */
import { type AppError, type Fault, invalidInput, notFound } from "../errors.ts";
import type { BookRow, BooksRepository } from "../repositories/books.repository.ts";
import type { FileRow, FilesRepository } from "../repositories/files.repository.ts";
import type { LanguageRow, LanguagesRepository } from "../repositories/languages.repository.ts";

export async function bookById(books: BooksRepository, id: string): Promise<BookRow> {
  const row = await books.find(id);
  if (!row) throw notFound("book_not_found", "There is no such book.");
  return row;
}

export async function languageById(languages: LanguagesRepository, id: number): Promise<LanguageRow> {
  const row = await languages.find(id);
  if (!row) throw notFound("language_not_found", "There is no such language.");
  return row;
}

/** A file under the path of its own book; under another book's path it isn't there. */
export async function fileOfBook(files: FilesRepository, bookId: string, fileId: string): Promise<FileRow> {
  const row = await files.findOfBook(bookId, fileId);
  if (!row) throw notFound("file_not_found", "This book has no such file.");
  return row;
}

/** The language that a body names by its code; 400 with that field when there is none. */
export async function languageNamed(languages: LanguagesRepository, code: string): Promise<LanguageRow> {
  const row = await languages.findByCode(code);
  if (!row) throw invalidInput([unknownLanguage("languageCode", code)]);
  return row;
}

export const unknownLanguage = (path: string, named: string | number): Fault => ({
  in: "body",
  path,
  message: `there is no language ${named}; create it first`,
  code: "unknown_language",
});

/** 400 for one field of the body. */
export const invalidField = (path: string, message: string, code: string): AppError =>
  invalidInput([{ in: "body", path, message, code }]);
