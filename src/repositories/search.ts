/** Word search on folded text, for books and contacts. */
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { Schema } from "../db/schema.ts";
import { type FoundBooks, hasWords } from "../db/searched-texts.ts";
import type { SearchWords } from "../lib/text.ts";

/** Whether the book is one of those that a search found. Many aren't looked up one by one, which `is true` prevents. */
export function isFound(
  eb: ExpressionBuilder<Schema, "books">,
  { ids, number }: FoundBooks,
): Expression<SqlBool> {
  const isOne = eb("books.id", "in", ids.$castTo<string>());
  return number === "many" ? isTested(isOne) : isOne;
}

/**
 * Whether the texts of the book have all words: read for each book, so only for few of them. PostgreSQL would read all texts
 * for `exists`.
 */
export const hasWordsOfBook = (
  eb: ExpressionBuilder<Schema, "books">,
  words: SearchWords,
): Expression<SqlBool> =>
  eb(
    eb
      .selectFrom("book_texts")
      .select((text) => text.lit(1).as("found"))
      .whereRef("book_texts.bookId", "=", "books.id")
      .where((text) => hasWords(text.ref("book_texts.searchText"), words)),
    "=",
    eb.lit(1),
  );

/** Keeps the planner from reading the table of the condition first. */
const isTested = (condition: Expression<SqlBool>): Expression<SqlBool> =>
  sql<SqlBool>`(${condition}) is true`;

/** Each word occurs in one of the contact's texts. */
export const matchContact = (
  eb: ExpressionBuilder<Schema, "contacts">,
  words: SearchWords,
  column: "contacts.searchText" | "contacts.countryText" = "contacts.searchText",
): Expression<SqlBool> => hasWords(eb.ref(column), words);
