/** Searches of folded texts that both databases understand, and what their indexes have in common. */
import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from "kysely";
import type { SearchWords } from "../lib/text.ts";
import type { Db } from "./kysely.ts";

export interface FoundBooks {
  /** A query for `bookId`, each once, in parentheses. */
  ids: RawBuilder<{ bookId: string }>;
  /** Few are sorted sooner than looked for in the order of all books. Undefined: only reading all texts would say it. */
  number: "few" | "many" | undefined;
}

export interface BookSearch {
  /** Each word occurs in the book's own texts or in one of its translations, different words perhaps in different ones. */
  find(words: SearchWords): Promise<FoundBooks>;
  /** Those of the books whose present texts aren't in the index. Only what is written past the service can do this. */
  listUnindexed(bookIds: readonly string[]): Promise<Set<string>>;
  /** Why some or all searches read the texts of all books; undefined if the index is used. */
  findLack(): Promise<IndexLack | undefined>;
}

export interface IndexLack {
  /** `ascii`: the index is there, but only for words of ASCII. */
  kind: "extension" | "index" | "ascii";
  /** What makes it, for an operator; empty if no statement does. */
  statement: string;
}

/** Looking for the first of more in the order of books takes as long as sorting them. */
const FEW_BOOKS = 1000;

/** @param books a row for each book, which an index finds: it reads no more than decide the question */
export async function measureFound(db: Db, books: RawBuilder<unknown>): Promise<FoundBooks["number"]> {
  return (await countUpTo(db, books, FEW_BOOKS + 1)) <= FEW_BOOKS ? "few" : "many";
}

/** Stops at `max`. */
export async function countUpTo(db: Db, query: RawBuilder<unknown>, max: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${query} limit ${max}) as "found"`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The books with the words, from their texts. */
export const readTexts = (words: SearchWords): RawBuilder<{ bookId: string }> =>
  sql`(select "bookId" from "book_texts" where ${hasWords(sql.ref<string>("book_texts.searchText"), words)})`;

/** Whether the texts have each word, by one of its patterns. */
export const hasWords = (column: Expression<string>, words: SearchWords): Expression<SqlBool> => {
  const { and } = expressionBuilder();
  return and(words.map((patterns) => hasAny(column, patterns)));
};

export const hasAny = (column: Expression<string>, patterns: readonly string[]): Expression<SqlBool> =>
  expressionBuilder().or(patterns.map((pattern) => isLike(column, pattern)));

/** `column LIKE pattern`, with special characters of the pattern escaped by a backslash. */
const isLike = (column: Expression<string>, pattern: string): Expression<SqlBool> =>
  sql<SqlBool>`${column} like ${pattern} escape '\\'`;
