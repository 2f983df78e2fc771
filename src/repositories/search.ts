/** Word search on folded text, for books and contacts. */
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { Schema } from "../db/schema.ts";
import type { SearchWords } from "../lib/text.ts";

/**
 * Each word occurs in the book's own texts or in one of its translations. The longest word, which fewest books have, is
 * searched in the whole table of translations, and the others in those of the books that have it: looking up the
 * translations of each book takes longer than reading them all.
 */
export function matchBook(eb: ExpressionBuilder<Schema, "books">, words: SearchWords): Expression<SqlBool> {
  const [longest, ...others] = words.toSorted((one, other) => lengthOf(other) - lengthOf(one));
  const inTranslations = (patterns: readonly string[]) =>
    eb
      .selectFrom("translations")
      .where((q) => q.or(patterns.map((pattern) => isLike(q.ref("translations.searchText"), pattern))));
  const inBook = (patterns: readonly string[]) =>
    patterns.map((pattern) => isLike(eb.ref("books.searchText"), pattern));
  const isOther = others.map((patterns) => {
    const ofBook = inTranslations(patterns).whereRef("translations.bookId", "=", "books.id");
    return eb.or([...inBook(patterns), eb.exists(ofBook.select("translations.id"))]);
  });
  if (!longest) return eb.and(isOther);
  const ids = inTranslations(longest).select("translations.bookId");
  return eb.and([eb.or([...inBook(longest), eb("books.id", "in", ids)]), ...isOther]);
}

const lengthOf = ([pattern = ""]: readonly string[]): number => pattern.length;

/** Each word occurs in one of the contact's texts. */
export const matchContact = (
  eb: ExpressionBuilder<Schema, "contacts">,
  words: SearchWords,
  column: "contacts.searchText" | "contacts.countryText" = "contacts.searchText",
): Expression<SqlBool> =>
  eb.and(words.map((patterns) => eb.or(patterns.map((pattern) => isLike(eb.ref(column), pattern)))));

/** `column LIKE pattern`, with special characters of the pattern escaped by a backslash. */
export const isLike = (column: Expression<string>, pattern: string): Expression<SqlBool> =>
  sql<SqlBool>`${column} like ${pattern} escape '\\'`;
