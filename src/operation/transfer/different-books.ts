/** Whether files of one name are different books, by what their metadata says. */
import { foldForSearch } from "../../lib/text.ts";
import type { BookFile } from "./library.ts";
import type { Metadata } from "./metadata/metadata.ts";

/**
 * Whether two groups of files certainly belong to two books: in one language, they have different titles or ISBNs, or, in
 * any, no author in common.
 */
export function areDifferentBooks(one: readonly BookFile[], other: readonly BookFile[]): boolean {
  return one.some((file) =>
    other.some(
      ({ languageCode, metadata }) =>
        haveOtherAuthors(file.metadata, metadata) ||
        (file.languageCode === languageCode && haveOtherNames(file.metadata, metadata)),
    ),
  );
}

const haveOtherNames = (one: Metadata, other: Metadata): boolean =>
  differs(one.isbn, other.isbn) || differs(fold(one.title), fold(other.title));

function haveOtherAuthors({ authors }: Metadata, { authors: others }: Metadata): boolean {
  const known = new Set(authors.map(fold));
  return known.size > 0 && others.length > 0 && !others.some((author) => known.has(fold(author)));
}

const differs = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other;

const fold = (text: string | undefined): string | undefined => text && foldForSearch(text);
