/** The row of a book: a new one, and one that changes. */
import { givenFields } from "../lib/objects.ts";
import { searchTextOf } from "../lib/text.ts";
import type { BookRow } from "../repositories/books.repository.ts";
import type { BookCreation, BookUpdate } from "../schemas/books.schemas.ts";

export const bookObject = ({ id, titleEn }: BookRow) => ({ kind: "book", id, name: titleEn }) as const;

export function newBookRow(
  given: Omit<BookCreation, "slug" | "sortOrder" | "translations">,
  { now, ...place }: Pick<BookRow, "id" | "slug" | "sortOrder"> & { now: number },
): BookRow {
  const { titleEn, description = "" } = given;
  return {
    ...place,
    titleEn,
    description,
    coverImagePath: given.coverImagePath ?? null,
    legacyDownloadCount: given.legacyDownloadCount ?? 0,
    isActive: 1,
    archivedAt: null,
    archivedBy: null,
    searchText: searchTextOf([titleEn, description, place.slug]),
    createdAt: now,
    updatedAt: now,
  };
}

/** The fields that are given, and what follows from them. */
export function changedBook(before: BookRow, given: BookUpdate, now: number) {
  const { titleEn = before.titleEn, description = before.description, slug = before.slug } = given;
  return { ...givenFields(given), searchText: searchTextOf([titleEn, description, slug]), updatedAt: now };
}
