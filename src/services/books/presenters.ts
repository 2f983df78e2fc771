/** Maps books and translations to API objects. Schemas leave out all other columns, so that none is published by accident. */
import { isoTimeOrNull } from "../../lib/time.ts";
import type { BookRow, BookWithCounts } from "../../repositories/books.repository.ts";
import type { TranslationRow } from "../../repositories/translations.repository.ts";
import { type AdminBook, adminBook, type Book, book } from "../../schemas/books.schemas.ts";
import { DEFAULT_COVER } from "../../schemas/covers.schemas.ts";
import { type Translation, translation } from "../../schemas/translations.schemas.ts";
import { coverPath, publicCoverPath } from "../shared/cover-paths.ts";
import { bookCreditsOf, creditsOf } from "../shared/credits.ts";
import { versionOf } from "../shared/record-versions.ts";
import { timesOf } from "../shared/stored-values.ts";

export const presentBook = (row: BookRow): Book =>
  book.encode({
    ...row,
    ...bookCreditsOf(row),
    ...timesOf(row),
    coverImagePath: coverImagePathOf(row),
    archivedAt: isoTimeOrNull(row.archivedAt),
    version: bookVersion(row),
  });

const bookVersion = (row: BookRow): string =>
  versionOf(
    row.slug,
    row.titleEn,
    row.description,
    row.legacyDownloadCount,
    row.authors,
    row.tags,
    row.series,
  );

/**
 * The path of the book's own cover, or else of the public cover, which is a generated placeholder if there is no image.
 */
const coverImagePathOf = ({ id, slug, coverImagePath }: BookRow): string =>
  coverImagePath === coverPath(id, DEFAULT_COVER) ? coverImagePath : publicCoverPath(slug);

export const presentAdminBook = (row: BookWithCounts, languages: string[]): AdminBook =>
  adminBook.encode({ ...row, ...presentBook(row), languages });

export const presentTranslation = (row: TranslationRow): Translation =>
  translation.encode({
    ...row,
    ...creditsOf(row),
    ...timesOf(row),
    version: translationVersion(row),
  });

const translationVersion = (row: TranslationRow): string =>
  versionOf(row.title, row.description, row.authors, row.contributors, row.publisher, row.license, row.isbn);
