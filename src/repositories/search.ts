/** Search over folded text. */
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { Schema } from "../db/schema.ts";

/** A book's own texts or one of its translations hold what `pattern` (for LIKE, over folded text) looks for. */
export function bookMentions(eb: ExpressionBuilder<Schema, "books">, pattern: string): Expression<SqlBool> {
  const translations = eb
    .selectFrom("translations")
    .select("translations.id")
    .whereRef("translations.bookId", "=", "books.id")
    .where((q) => matches(q.ref("translations.searchText"), pattern));
  return eb.or([matches(eb.ref("books.searchText"), pattern), eb.exists(translations)]);
}

/** `column LIKE pattern`, where the pattern's own signs are escaped by a backslash. */
export const matches = (column: Expression<string>, pattern: string): Expression<SqlBool> =>
  sql<SqlBool>`${column} like ${pattern} escape '\\'`;
