/** Word search on folded text, for books and contacts. */
import { type Expression, type ExpressionBuilder, expressionBuilder, type SqlBool, sql } from "kysely";
import type { Schema } from "../db/schema.ts";
import type { SearchWords } from "../lib/text.ts";

/** Each word occurs in the book's own texts or in one of its translations, different words perhaps in different ones. */
export function matchBook(eb: ExpressionBuilder<Schema, "books">, words: SearchWords): Expression<SqlBool> {
  const found = eb
    .selectFrom("book_texts")
    .select("book_texts.bookId")
    .where((q) => hasWords(q.ref("book_texts.searchText"), words));
  return eb("books.id", "in", found);
}

/** Each word occurs in one of the contact's texts. */
export const matchContact = (
  eb: ExpressionBuilder<Schema, "contacts">,
  words: SearchWords,
  column: "contacts.searchText" | "contacts.countryText" = "contacts.searchText",
): Expression<SqlBool> => hasWords(eb.ref(column), words);

export const hasWords = (column: Expression<string>, words: SearchWords): Expression<SqlBool> => {
  const { and, or } = expressionBuilder();
  return and(words.map((patterns) => or(patterns.map((pattern) => isLike(column, pattern)))));
};

/** `column LIKE pattern`, with special characters of the pattern escaped by a backslash. */
export const isLike = (column: Expression<string>, pattern: string): Expression<SqlBool> =>
  sql<SqlBool>`${column} like ${pattern} escape '\\'`;
