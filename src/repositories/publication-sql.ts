/** The rules of publication as SQL, over books and the languages in which they are published. */
import type { AliasableExpression, Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Schema } from "../db/schema.ts";
import type { SearchWords } from "../lib/text.ts";
import { bookMentions } from "./search.ts";

/** A language with the one that it inherits from. */
export interface LanguageScope {
  id: number;
  parentId: number | null;
}

/** The language and, if there is one, that which it inherits from. */
export const scopeIds = ({ id, parentId }: LanguageScope): number[] =>
  parentId === null ? [id] : [id, parentId];

export interface PublicationFilter {
  /** Only what is published in this language; otherwise what is published in any. */
  language?: LanguageScope | undefined;
  channelId?: string | undefined;
  search?: SearchWords | undefined;
}

/** Published in the language that is asked for or, without one, in any. */
export function isPublished(
  eb: ExpressionBuilder<Schema, "books">,
  { language, channelId, search }: PublicationFilter,
): Expression<SqlBool> {
  const published = eb
    .selectFrom("languages")
    .select("languages.id")
    .where((inLanguages) => isPublishedIn(inLanguages, channelId));
  const isSomewhere = eb.exists(language ? published.where("languages.id", "=", language.id) : published);
  return search === undefined ? isSomewhere : eb.and([isSomewhere, bookMentions(eb, search)]);
}

/**
 * Book and language are active, an active file is there or in the language that it inherits from, nothing hides the book
 * there, and it is on the channel there (or where the language inherits from) if a channel is asked for. The language
 * that is inherited from need not be active.
 */
export function isPublishedIn(
  eb: ExpressionBuilder<Schema, "books" | "languages">,
  channelId?: string,
): AliasableExpression<SqlBool> {
  const rules = [
    eb("books.isActive", "=", 1),
    eb("languages.isActive", "=", 1),
    eb.exists(filesOfBook(eb)),
    eb.not(eb.exists(hidingsOfBook(eb))),
  ];
  if (channelId === undefined) return eb.and(rules);
  const publications = eb
    .selectFrom("publications")
    .select("publications.bookId")
    .whereRef("publications.bookId", "=", "books.id")
    .where("publications.channelId", "=", channelId)
    .where((q) => q("publications.languageId", "in", [q.ref("languages.id"), q.ref("languages.parentId")]));
  return eb.and([...rules, eb.exists(publications)]);
}

/** Active files of the book at hand, in the language at hand or in the one that it inherits from. */
export const filesOfBook = (eb: ExpressionBuilder<Schema, "books" | "languages">) =>
  eb
    .selectFrom("book_files")
    .select("book_files.id")
    .whereRef("book_files.bookId", "=", "books.id")
    .where("book_files.isActive", "=", 1)
    .where((q) => q("book_files.languageId", "in", [q.ref("languages.id"), q.ref("languages.parentId")]));

/**
 * What hides the book at hand in the language at hand. Overrides count only as long as there is something to inherit: a
 * language loses its parent by a request or by the parent's deletion, and then nobody could see them or take them back.
 * They stay, so that nothing is lost by a slip.
 */
export const hidingsOfBook = (eb: ExpressionBuilder<Schema, "books" | "languages">) =>
  eb
    .selectFrom("book_visibility")
    .select("book_visibility.bookId")
    .whereRef("book_visibility.bookId", "=", "books.id")
    .whereRef("book_visibility.languageId", "=", "languages.id")
    .where("book_visibility.isVisible", "=", 0)
    .where((q) => q("languages.parentId", "is not", null));
