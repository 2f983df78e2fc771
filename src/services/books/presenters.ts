/** Maps books and translations to API objects. Schemas leave out all other columns, so that none is published by accident. */
import { isoTimeOrNull } from "../../lib/time.ts";
import type { BookRow } from "../../repositories/books.repository.ts";
import type { BookWithCounts } from "../../repositories/books-list.ts";
import type { PublicationPlace } from "../../repositories/channels.repository.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type { TranslationRow } from "../../repositories/translations.repository.ts";
import { type AdminBook, adminBook } from "../../schemas/book-list.schemas.ts";
import { type Book, type BookDetails, book } from "../../schemas/books.schemas.ts";
import { DEFAULT_COVER } from "../../schemas/covers.schemas.ts";
import { type Translation, translation } from "../../schemas/translations.schemas.ts";
import { coverPath, publicCoverPath } from "../shared/cover-paths.ts";
import { readBookCredits, readCredits } from "../shared/credits.ts";
import { versionOf } from "../shared/record-versions.ts";
import { fileTypeOf, timesOf } from "../shared/stored-values.ts";

export const presentBook = (row: BookRow): Book =>
  book.encode({
    ...row,
    ...readBookCredits(row),
    ...timesOf(row),
    coverImagePath: coverImagePathOf(row),
    archivedAt: isoTimeOrNull(row.archivedAt),
    publishAt: isoTimeOrNull(row.publishAt),
    unpublishAt: isoTimeOrNull(row.unpublishAt),
    version: bookVersion(row),
  });

export const bookVersion = (row: BookRow): string =>
  versionOf(
    row.slug,
    row.titleEn,
    row.description,
    row.legacyDownloadCount,
    row.authors,
    row.tags,
    row.series,
    row.publishAt,
    row.unpublishAt,
  );

/**
 * The path of the book's own cover, or else of the public cover, which is a generated placeholder if there is no image.
 */
const coverImagePathOf = ({ id, slug, coverImagePath }: BookRow): string =>
  coverImagePath === coverPath(id, DEFAULT_COVER) ? coverImagePath : publicCoverPath(slug);

interface BookFacts extends Pick<AdminBook, "languages" | "publishedLanguages"> {
  fileTypes: readonly string[];
}

export const presentAdminBook = (row: BookWithCounts, { fileTypes, ...facts }: BookFacts): AdminBook =>
  adminBook.encode({
    ...row,
    ...presentBook(row),
    ...facts,
    fileTypes: fileTypes.map((fileType) => fileTypeOf({ fileType })),
    hasCover: Boolean(row.hasCover),
  });

/** @param places in the order of the channels */
export const presentBookPublications = (places: readonly PublicationPlace[]): BookDetails["publications"] =>
  [...Map.groupBy(places, ({ channelId }) => channelId)].map(([channelId, rows]) => ({
    channelId,
    languageIds: rows.map(({ languageId }) => languageId),
  }));

export const presentTranslation = (row: TranslationRow): Translation =>
  translation.encode({
    ...row,
    ...readCredits(row),
    ...timesOf(row),
    version: translationVersion(row),
  });

const translationVersion = (row: TranslationRow): string =>
  versionOf(row.title, row.description, row.authors, row.contributors, row.publisher, row.license, row.isbn);

/** The codes of the languages in which a book is published, sorted. */
export function listPublishedCodes(
  places: readonly { languageId: number }[],
  languages: readonly LanguageRow[],
): string[] {
  const ids = new Set(places.map(({ languageId }) => languageId));
  return languages.flatMap(({ id, code }) => (ids.has(id) ? [code] : [])).sort();
}
