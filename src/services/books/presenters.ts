/** Maps rows to API objects. Their schemas leave out all other columns, so that none is published by accident. */
import { isoTime, isoTimeOrNull } from "../../lib/time.ts";
import type { ApiKeyWithOwner } from "../../repositories/api-keys.repository.ts";
import type { BookRow, BookWithCounts } from "../../repositories/books.repository.ts";
import type { EventRow } from "../../repositories/events.repository.ts";
import type { LoggedEvent } from "../../repositories/exports/download-log.ts";
import type { FileRow } from "../../repositories/files.repository.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type { TranslationRow } from "../../repositories/translations.repository.ts";
import type { UserRow } from "../../repositories/users.repository.ts";
import type { BookInLanguageRow } from "../../repositories/visibility.repository.ts";
import {
  type DownloadEvent,
  type PersonalEvent,
  personalEventFields,
} from "../../schemas/analytics.schemas.ts";
import type { ApiKey } from "../../schemas/api-keys.schemas.ts";
import type { SessionUser } from "../../schemas/auth.schemas.ts";
import { type AdminBook, adminBook, type Book, book } from "../../schemas/books.schemas.ts";
import { DEFAULT_COVER } from "../../schemas/covers.schemas.ts";
import { FILE_TYPES, type FileType, SOURCE_TYPES, type SourceType } from "../../schemas/file-types.ts";
import { type BookFile, bookFile } from "../../schemas/files.schemas.ts";
import { type Language, language, type SubLanguageBook } from "../../schemas/languages.schemas.ts";
import {
  API_KEY_SCOPES,
  type ApiKeyScope,
  ROLE_PERMISSIONS,
  ROLES,
  type Role,
} from "../../schemas/permissions.ts";
import { type Translation, translation } from "../../schemas/translations.schemas.ts";
import { type User, user } from "../../schemas/users.schemas.ts";
import { bookCreditsOf, creditsOf } from "./credits.ts";

export const timesOf = ({ createdAt, updatedAt }: { createdAt: number; updatedAt: number }) => ({
  createdAt: isoTime(createdAt),
  updatedAt: isoTime(updatedAt),
});

export const presentLanguage = (row: LanguageRow): Language => language.encode({ ...row, ...timesOf(row) });

export const presentSubLanguageBook = (row: BookInLanguageRow): SubLanguageBook => ({
  bookId: row.bookId,
  slug: row.slug,
  titleEn: row.titleEn,
  isVisible: Boolean(row.isVisible),
  override: row.override === null ? null : row.override === 1,
  inherited: row.override === null,
});

export const presentBook = (row: BookRow): Book =>
  book.encode({
    ...row,
    ...bookCreditsOf(row),
    ...timesOf(row),
    coverImagePath: coverImagePathOf(row),
    archivedAt: isoTimeOrNull(row.archivedAt),
  });

/**
 * The path of the book's own cover, or else of the public cover, which is a generated placeholder if there is no image.
 */
const coverImagePathOf = ({ id, slug, coverImagePath }: BookRow): string =>
  coverImagePath === coverPath(id, DEFAULT_COVER) ? coverImagePath : publicCoverPath(slug);

export const presentAdminBook = (row: BookWithCounts, languages: string[]): AdminBook =>
  adminBook.encode({ ...row, ...presentBook(row), languages });

export const presentTranslation = (row: TranslationRow): Translation =>
  translation.encode({ ...row, ...creditsOf(row), ...timesOf(row) });

export const presentFile = (row: FileRow): BookFile =>
  bookFile.encode({ ...row, ...timesOf(row), fileType: fileTypeOf(row), sourceType: sourceTypeOf(row) });

export function presentSessionUser(row: Pick<UserRow, "id" | "email" | "name" | "role">): SessionUser {
  const role = roleOf(row);
  return { id: row.id, email: row.email, name: row.name, role, permissions: [...ROLE_PERMISSIONS[role]] };
}

export const presentUser = (row: UserRow): User =>
  user.encode({ ...row, ...timesOf(row), ...presentSessionUser(row) });

export const presentApiKey = (row: ApiKeyWithOwner): ApiKey => ({
  id: row.id,
  name: row.name,
  keyPrefix: row.keyPrefix,
  expiresAt: isoTimeOrNull(row.expiresAt),
  createdAt: isoTime(row.createdAt),
  scopes: scopesOf(row),
  lastUsedAt: isoTimeOrNull(row.lastUsedAt),
  createdBy: row.ownerEmail,
});

/**
 * Missing texts are presented as "", because the specification declares them as strings; the `utm` fields are nullable
 * there.
 */
export const presentPersonalEvent = (row: EventRow): PersonalEvent =>
  personalEventFields.encode({
    ...row,
    id: String(row.id),
    downloadedAt: isoTime(row.downloadedAt),
    ipAddress: row.ipAddress ?? "",
    countryCode: row.countryCode ?? "",
    countryName: row.countryName ?? "",
    city: row.city ?? "",
    redeemedAt: isoTimeOrNull(row.redeemedAt),
  });

export const presentEvent = (row: LoggedEvent): DownloadEvent => ({
  ...presentPersonalEvent(row),
  contactEmail: row.contactEmail ?? "",
  contactFirstName: row.contactFirstName ?? "",
  contactLastName: row.contactLastName ?? "",
});

/** Checks stored enum values on output: an unknown value is an error. */
export function known<T extends string>(words: readonly T[], stored: string): T {
  const word = words.find((candidate) => candidate === stored);
  if (word === undefined) throw new Error(`The database holds an unknown word: ${stored}`);
  return word;
}

export const fileTypeOf = (row: { fileType: string }): FileType => known(FILE_TYPES, row.fileType);
export const sourceTypeOf = (row: { sourceType: string }): SourceType => known(SOURCE_TYPES, row.sourceType);
export const roleOf = (row: { role: string }): Role => known(ROLES, row.role);
export const scopesOf = (row: { scopes: string }): ApiKeyScope[] =>
  row.scopes.split(" ").map((scope) => known(API_KEY_SCOPES, scope));

/** The stored cover, for administrators. @param code of a language, or `default` */
export const coverPath = (bookId: string, code: string): string =>
  `/api/admin/books/${bookId}/covers/${code}`;

/** The public cover. */
export const publicCoverPath = (slug: string): string => `/api/books/${slug}/cover`;
