/** What readers get of a book that is published: which files it offers in a language, and under which title. */
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type { ActiveFileRow, PlaceRow } from "../../repositories/publication.repository.ts";
import type { TranslationRow } from "../../repositories/translations.repository.ts";

/** An active book's parts. */
export interface PublicationParts {
  files: readonly ActiveFileRow[];
  translations: readonly TranslationRow[];
  /** Where the book is published; on the channel that was asked for, if one was. */
  places: readonly PlaceRow[];
}

/** The book's files in a language: its own, else those of the language it inherits from, else none. */
export function filesIn(files: readonly ActiveFileRow[], language: LanguageRow): readonly ActiveFileRow[] {
  const own = files.filter((file) => file.languageId === language.id);
  if (own.length > 0 || language.parentId === null) return own;
  return files.filter((file) => file.languageId === language.parentId);
}

/** The texts in a language: its own, and for what it has none of those of the language it inherits from. */
export function textsIn(
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

/** The languages in which a book is published, out of the active ones. */
export const languagesOf = ({ places }: PublicationParts, active: readonly LanguageRow[]): LanguageRow[] =>
  active.filter(({ id }) => places.some(({ languageId }) => languageId === id));

/** The parts of many books, each book's together. */
export function partsByBook(all: PublicationParts): (bookId: string) => PublicationParts {
  const files = Map.groupBy(all.files, (row) => row.bookId);
  const translations = Map.groupBy(all.translations, (row) => row.bookId);
  const places = Map.groupBy(all.places, (row) => row.bookId);
  return (bookId) => ({
    files: files.get(bookId) ?? [],
    translations: translations.get(bookId) ?? [],
    places: places.get(bookId) ?? [],
  });
}
