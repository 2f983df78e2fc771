/** Word search on folded text, for books and contacts. */
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { Schema } from "../db/schema.ts";
import type { SearchWords } from "../lib/text.ts";

/** Each word occurs in the book's own texts or in one of its translations. */
export const matchBook = (eb: ExpressionBuilder<Schema, "books">, words: SearchWords): Expression<SqlBool> =>
  eb.and(
    words.map((patterns) => {
      const translations = eb
        .selectFrom("translations")
        .select("translations.id")
        .whereRef("translations.bookId", "=", "books.id")
        .where((q) => q.or(patterns.map((pattern) => isLike(q.ref("translations.searchText"), pattern))));
      const own = patterns.map((pattern) => isLike(eb.ref("books.searchText"), pattern));
      return eb.or([...own, eb.exists(translations)]);
    }),
  );

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
