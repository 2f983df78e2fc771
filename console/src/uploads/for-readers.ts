/** What readers get of what is to be stored. Nothing here knows the page. */
import type { BookDrafts, Plan } from "./drafts.ts";

/** Those that aren't of the service; also a known one that got another title: it becomes another book. */
export function listNewBooks(groups: readonly BookDrafts[], plan?: Pick<Plan, "books">): BookDrafts[] {
  const known = new Set(plan?.books.flatMap(({ slug, bookId }) => (bookId === null ? [] : slug)));
  return groups.filter(
    ({ base, book }) =>
      book.bookId === undefined && (base === undefined || book.slug === undefined || !known.has(base)),
  );
}

/** How many of the new books readers get, and in how many languages: those with files. */
export function countForReaders(groups: readonly BookDrafts[]): { books: number; languages: number } {
  const withFiles = groups.filter(({ drafts }) => drafts.length > 0);
  const codes = withFiles.flatMap(({ drafts }) => drafts.map(({ languageCode }) => languageCode));
  return { books: withFiles.length, languages: new Set(codes).size };
}
