/** Which book an item of a bulk upsert is about, and which items of the request are about the same one. */
import type { FieldError } from "../../errors.ts";
import type { BookRow } from "../../repositories/books.repository.ts";
import type { CatalogueRepositories } from "../../repositories/index.ts";
import { type GivenItem, repeatedSlug, slugOfAnotherTitle } from "./bulk-plan.ts";
import { findByTitle, isSameTitle } from "./derived-slug.ts";

/** What the items of a request have claimed so far. An item can be examined again. */
export interface Claims {
  /** The item of each book, by id. */
  books: Map<string, number>;
  /** The title of each new book, by slug: in a dry run it isn't stored. */
  slugs: Map<string, string>;
}

export const createClaims = (): Claims => ({ books: new Map(), slugs: new Map() });

interface FindDeps {
  repositories: CatalogueRepositories;
  languageIds: ReadonlyMap<string, number>;
  claims: Claims;
}

interface Conflict {
  error?: FieldError;
  /** The book to which a derived slug belongs. */
  bookId?: string;
}

/** The book of an item, or why the item can't have it. */
export async function findBookOf(
  item: GivenItem,
  { repositories, languageIds, claims }: FindDeps,
): Promise<{ book: BookRow | undefined } & Conflict> {
  const { index, slug, derivedFrom: titleEn } = item;
  const path = `books.${index}`;
  if (titleEn === undefined || slug === "") {
    const book = await repositories.books.findBySlug(slug);
    return { book, ...claimBook(claims, book, item) };
  }
  const translations = item.translations.flatMap(({ given: { languageCode, title } }) => {
    const languageId = languageIds.get(languageCode.toLowerCase());
    return languageId === undefined ? [] : [{ languageId, title }];
  });
  const found = await findByTitle(repositories, { slug, titleEn, translations });
  if ("other" in found) {
    const { id: bookId, titleEn: title } = found.other;
    return { book: undefined, error: slugOfAnotherTitle(path, title), bookId };
  }
  if (found.book) return { ...found, ...claimBook(claims, found.book, item) };
  const first = claims.slugs.get(slug);
  if (first && !isSameTitle(first, titleEn))
    return { book: undefined, error: slugOfAnotherTitle(path, first), bookId: "" };
  if (item.errors.length === 0) claims.slugs.set(slug, titleEn);
  return { book: undefined };
}

/** An item with errors claims nothing. */
function claimBook({ books }: Claims, book: BookRow | undefined, { index, errors }: GivenItem): Conflict {
  if (!book) return {};
  const first = books.get(book.id) ?? index;
  if (errors.length === 0) books.set(book.id, first);
  return first === index || errors.length > 0 ? {} : { error: repeatedSlug(`books.${index}`, first) };
}
