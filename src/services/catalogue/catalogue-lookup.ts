/** Finds the records that a request names, or throws 404. */
import {
  type AppError,
  bodyError,
  type FieldError,
  type FieldPath,
  invalidInput,
  notFound,
} from "../../errors.ts";
import type { BookRow, BooksRepository } from "../../repositories/books.repository.ts";
import type { ChannelRow, ChannelsRepository } from "../../repositories/channels.repository.ts";
import type { FileRow, FilesRepository } from "../../repositories/files.repository.ts";
import type { LanguageRow, LanguagesRepository } from "../../repositories/languages.repository.ts";
import { MAX_INT32 } from "../../schemas/atoms.ts";
import type { FieldErrorCode } from "../../schemas/error-codes.ts";

export async function bookById(books: BooksRepository, id: string): Promise<BookRow> {
  const row = await books.find(id);
  if (!row) throw notFound("book_not_found", "Book not found.");
  return row;
}

export async function channelById(channels: ChannelsRepository, id: string): Promise<ChannelRow> {
  const row = await channels.find(id);
  if (!row) throw notFound("channel_not_found", "Channel not found.");
  return row;
}

export async function languageById(languages: LanguagesRepository, id: number): Promise<LanguageRow> {
  const row = await languages.find(id);
  if (!row) throw notFound("language_not_found", "Language not found.");
  return row;
}

/** A file under the path of its own book; under another book's path it isn't there. */
export async function fileOfBook(files: FilesRepository, bookId: string, fileId: string): Promise<FileRow> {
  const row = await files.findOfBook(bookId, fileId);
  if (!row) throw notFound("file_not_found", "This book has no file with this id.");
  return row;
}

/** The language that a body names by its code; 400 with that field when there is none. */
export async function languageNamed(languages: LanguagesRepository, code: string): Promise<LanguageRow> {
  const row = await languages.findByCode(code);
  if (!row) throw invalidInput([unknownLanguage("languageCode", code)]);
  return row;
}

/** How a request names a language: by its code, its id, or both. */
export interface LanguageNames {
  languageCode?: string | undefined;
  languageId?: number | undefined;
}

/** The language that a request names, and what is wrong with how it names it. */
export async function languageBy(
  languages: LanguagesRepository,
  { languageCode, languageId }: LanguageNames,
  place: FieldPath = "body",
): Promise<{ language: LanguageRow | undefined; errors: FieldError[] }> {
  const byId = languageId === undefined ? undefined : await languages.find(languageId);
  const byCode = languageCode === undefined ? undefined : await languages.findByCode(languageCode);
  const errors: FieldError[] = [];
  const error = (path: string, message: string, code: FieldErrorCode) =>
    errors.push({ in: place, path, message, code });
  if (languageId !== undefined && !byId) errors.push(unknownLanguage("languageId", languageId, place));
  if (languageCode !== undefined && !byCode)
    errors.push(unknownLanguage("languageCode", languageCode, place));
  if (byId && byCode && byId.id !== byCode.id)
    error("languageId", "must refer to the same language as languageCode", "contradiction");
  if (languageId === undefined && languageCode === undefined)
    error("languageCode", "languageCode or languageId is required", "missing_language");
  return { language: byCode ?? byId, errors };
}

/** The same for a request that can do nothing without it: 400 with everything that is wrong. */
export async function requestedLanguage(
  languages: LanguagesRepository,
  named: LanguageNames,
  place?: FieldPath,
): Promise<LanguageRow> {
  const { language, errors } = await languageBy(languages, named, place);
  if (!language || errors.length > 0) throw invalidInput(errors);
  return language;
}

export const unknownLanguage = (
  path: string,
  named: string | number,
  place: FieldPath = "body",
): FieldError => ({
  in: place,
  path,
  message: `language ${named} does not exist; create it first`,
  code: "unknown_language",
});

export const repeatedLanguage = (path: string): FieldError =>
  bodyError(path, "must not occur twice", "repeated_language");

/** 400 for one field of the body. */
export const invalidField = (path: string, message: string, code: FieldErrorCode): AppError =>
  invalidInput([bodyError(path, message, code)]);

/** Behind all others. What is in the same place is ordered by id, and so by age: the last one is never full. */
export const lastPlace = async (ordered: { lastSortOrder(): Promise<number> }): Promise<number> =>
  Math.min((await ordered.lastSortOrder()) + 1, MAX_INT32);
