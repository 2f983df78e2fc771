/** The parts of a published book: its files and texts in a language. */
import type { BookRow } from "../../repositories/books.repository.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type { ActiveFileRow, BookLanguageRow } from "../../repositories/publication.repository.ts";
import type { TranslationRow } from "../../repositories/translations.repository.ts";
import type { Credits } from "../../schemas/credits.schemas.ts";
import { readBookCredits, readCredits } from "../shared/credits.ts";

/** An active book's parts. */
export interface PublicationParts {
  files: readonly ActiveFileRow[];
  translations: readonly TranslationRow[];
  /** The publications of the book; only those on the requested channel, if there is one. */
  places: readonly BookLanguageRow[];
}

/** The book's files in a language: its own, or else those of the parent language. */
export function chooseFiles(
  files: readonly ActiveFileRow[],
  language: LanguageRow,
): readonly ActiveFileRow[] {
  const own = files.filter((file) => file.languageId === language.id);
  if (own.length > 0 || language.parentId === null) return own;
  return files.filter((file) => file.languageId === language.parentId);
}

/** The texts in a language. A missing text falls back to the parent language. */
export function findTexts(
  translations: readonly TranslationRow[],
  { id, parentId }: LanguageRow,
): { title: string | undefined; description: string | undefined } {
  const own = translations.find(({ languageId }) => languageId === id);
  const inherited = translations.find(({ languageId }) => languageId === parentId);
  return {
    title: own?.title ?? inherited?.title,
    description: own?.description ?? inherited?.description ?? undefined,
  };
}

/** What isn't known of the edition in a language falls back to the parent language, and its authors to the book's. */
export function chooseCredits(
  translations: readonly TranslationRow[],
  { id, parentId }: LanguageRow,
  book: Pick<BookRow, "authors" | "tags" | "series">,
): Credits {
  const own = translations.find(({ languageId }) => languageId === id);
  const inherited = translations.find(({ languageId }) => languageId === parentId);
  const known = [own, inherited].flatMap((row) => (row ? readCredits(row) : []));
  return {
    authors: known.find(({ authors }) => authors.length > 0)?.authors ?? readBookCredits(book).authors,
    contributors: known.find(({ contributors }) => contributors.length > 0)?.contributors ?? [],
    publisher: known.find(({ publisher }) => publisher !== null)?.publisher ?? null,
    license: known.find(({ license }) => license !== null)?.license ?? null,
    isbn: own?.isbn ?? inherited?.isbn ?? null,
  };
}

/** The active languages in which a book is published. */
export const selectLanguages = (
  { places }: PublicationParts,
  active: readonly LanguageRow[],
): LanguageRow[] => active.filter(({ id }) => places.some(({ languageId }) => languageId === id));

/** Groups the parts of many books by book. */
export function groupPartsByBook(all: PublicationParts): (bookId: string) => PublicationParts {
  const files = Map.groupBy(all.files, (row) => row.bookId);
  const translations = Map.groupBy(all.translations, (row) => row.bookId);
  const places = Map.groupBy(all.places, (row) => row.bookId);
  return (bookId) => ({
    files: files.get(bookId) ?? [],
    translations: translations.get(bookId) ?? [],
    places: places.get(bookId) ?? [],
  });
}
