/** The rules of publication for what has been read: which files a book offers in a language, and under which title. */

import type { LanguageRow } from "../repositories/languages.repository.ts";
import type { ActiveFileRow, PlaceRow, VisibilityRow } from "../repositories/publication.repository.ts";
import type { TranslationRow } from "../repositories/translations.repository.ts";

/** An active book's parts. */
export interface PublicationParts {
  files: readonly ActiveFileRow[];
  translations: readonly TranslationRow[];
  visibility: readonly VisibilityRow[];
  /** Where the book is published on the channel that was asked for; undefined when none was. */
  onChannel: readonly PlaceRow[] | undefined;
}

/** The book's files in a language: its own, else those of the language it inherits from, else none. */
export function filesIn(files: readonly ActiveFileRow[], language: LanguageRow): readonly ActiveFileRow[] {
  const own = files.filter((file) => file.languageId === language.id);
  if (own.length > 0 || language.parentId === null) return own;
  return files.filter((file) => file.languageId === language.parentId);
}

/** The translation in a language: its own, else that of the language it inherits from. */
export function translationIn(
  translations: readonly TranslationRow[],
  language: LanguageRow,
): TranslationRow | undefined {
  const inLanguage = (id: number | null) => translations.find((translation) => translation.languageId === id);
  return inLanguage(language.id) ?? (language.parentId === null ? undefined : inLanguage(language.parentId));
}

/** The languages in which a book is published, out of the active ones. */
export const languagesOf = (
  { files, visibility, onChannel }: Omit<PublicationParts, "translations">,
  active: readonly LanguageRow[],
): LanguageRow[] =>
  active.filter(
    (language) =>
      filesIn(files, language).length > 0 &&
      !isHidden(visibility, language) &&
      (onChannel === undefined || isThere(onChannel, language)),
  );

const isHidden = (visibility: readonly VisibilityRow[], language: LanguageRow): boolean =>
  visibility.some((override) => override.languageId === language.id && override.isVisible === 0);

/** A sub-language inherits its parent's publications. */
const isThere = (places: readonly PlaceRow[], { id, parentId }: LanguageRow): boolean =>
  places.some(({ languageId }) => languageId === id || languageId === parentId);

/** The parts of many books, each book's together. */
export function partsByBook(all: PublicationParts): (bookId: string) => PublicationParts {
  const files = Map.groupBy(all.files, (row) => row.bookId);
  const translations = Map.groupBy(all.translations, (row) => row.bookId);
  const visibility = Map.groupBy(all.visibility, (row) => row.bookId);
  const onChannel = all.onChannel && Map.groupBy(all.onChannel, (row) => row.bookId);
  return (bookId) => ({
    files: files.get(bookId) ?? [],
    translations: translations.get(bookId) ?? [],
    visibility: visibility.get(bookId) ?? [],
    onChannel: onChannel && (onChannel.get(bookId) ?? []),
  });
}
