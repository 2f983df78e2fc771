/** Finds the records that a request refers to, or throws 404. */
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

export async function findBook(books: BooksRepository, id: string): Promise<BookRow> {
  const row = await books.find(id);
  if (!row) throw notFound("book_not_found", "Book not found.");
  return row;
}

export async function findChannel(channels: ChannelsRepository, id: string): Promise<ChannelRow> {
  const row = await channels.find(id);
  if (!row) throw notFound("channel_not_found", "Channel not found.");
  return row;
}

export async function findLanguage(languages: LanguagesRepository, id: number): Promise<LanguageRow> {
  const row = await languages.find(id);
  if (!row) throw notFound("language_not_found", "Language not found.");
  return row;
}

/** A file of the given book; 404 for a file of another book. */
export async function findFile(files: FilesRepository, bookId: string, fileId: string): Promise<FileRow> {
  const row = await files.findOfBook(bookId, fileId);
  if (!row) throw notFound("file_not_found", "This book has no file with this id.");
  return row;
}

/** The language with the code in the request body; 400 for that field if there is none. */
export async function findLanguageNamed(languages: LanguagesRepository, code: string): Promise<LanguageRow> {
  const row = await languages.findByCode(code);
  if (!row) throw invalidInput([unknownLanguage("languageCode", code)]);
  return row;
}

/** The ways in which a request identifies a language: by code, by id, or both. */
export interface LanguageNames {
  languageCode?: string | undefined;
  languageId?: number | undefined;
}

/** The language that a request identifies, or the errors in its fields. */
export async function findRequestedLanguage(
  languages: LanguagesRepository,
  { languageCode, languageId }: LanguageNames,
  place: FieldPath = "body",
): Promise<{ language: LanguageRow | undefined; errors: FieldError[] }> {
  const byId = languageId === undefined ? undefined : await languages.find(languageId);
  const byCode = languageCode === undefined ? undefined : await languages.findByCode(languageCode);
  return checkRequestedLanguage({ languageCode, languageId }, { byId, byCode }, place);
}

/** Like `findRequestedLanguage`, for languages that were found. @param before the path of the object with the names */
export function checkRequestedLanguage(
  { languageCode, languageId }: LanguageNames,
  { byId, byCode }: { byId: LanguageRow | undefined; byCode: LanguageRow | undefined },
  place: FieldPath = "body",
  before = "",
): { language: LanguageRow | undefined; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const error = (path: string, message: string, code: FieldErrorCode) =>
    errors.push({ in: place, path: `${before}${path}`, message, code });
  if (languageId !== undefined && !byId)
    errors.push(unknownLanguage(`${before}languageId`, languageId, place));
  if (languageCode !== undefined && !byCode)
    errors.push(unknownLanguage(`${before}languageCode`, languageCode, place));
  if (byId && byCode && byId.id !== byCode.id)
    error("languageId", "must refer to the same language as languageCode", "contradiction");
  if (languageId === undefined && languageCode === undefined)
    error("languageCode", "languageCode or languageId is required", "missing_language");
  return { language: byCode ?? byId, errors };
}

/** Like `findRequestedLanguage`, for a request that requires a language: throws 400 with all errors. */
export async function assertRequestedLanguage(
  languages: LanguagesRepository,
  named: LanguageNames,
  place?: FieldPath,
): Promise<LanguageRow> {
  const { language, errors } = await findRequestedLanguage(languages, named, place);
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

/** 400 for a field that has no effect without a mail server. */
export const needsLetters = (path: string, message: string): AppError =>
  invalidInput([bodyError(path, message, "mail_not_configured")], "mail_not_configured");

/**
 * The position after all others. Rows with equal positions are ordered by id, and so by age, so this position never
 * runs out.
 */
export const findNextPosition = async (ordered: { findLastSortOrder(): Promise<number> }): Promise<number> =>
  Math.min((await ordered.findLastSortOrder()) + 1, MAX_INT32);
