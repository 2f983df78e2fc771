/** The search texts of a book and its translations in one row, kept by the repositories whose rows they follow from. */
import { type RawBuilder, sql } from "kysely";
import { createBookSearch } from "../db/book-search.ts";
import { createWriteYielder } from "../db/group-commit.ts";
import type { IndexLack } from "../db/searched-texts.ts";
import { splitIntoBatches } from "../lib/collections.ts";
import { Repository } from "./repository.ts";

/** Their texts are made in a few milliseconds. */
const BOOKS_AT_ONCE = 200;

export interface ComparedTexts {
  /** Of the book. */
  id: string;
  slug: string;
  /** Whether the row is missing, isn't what follows from the book and its translations, or isn't in the index. */
  isStale: boolean;
}

export class BookTexts extends Repository {
  readonly #search = createBookSearch(this.db);

  /** Compares the texts of books with the present rows, in the order of their ids. */
  async compareAfter(id: string, limit: number): Promise<ComparedTexts[]> {
    const rows = await this.db
      .selectFrom("books")
      .leftJoin("book_texts", "book_texts.bookId", "books.id")
      .select(["books.id", "books.slug"])
      .select(
        sql<number>`case when "book_texts"."searchText" = ${createTextOfBook(sql`true`)} then 0 else 1 end`.as(
          "isStale",
        ),
      )
      .where("books.id", ">", id)
      .orderBy("books.id")
      .limit(limit)
      .execute();
    const unindexed = await this.#search.listUnindexed(rows.map((row) => row.id));
    return rows.map(({ isStale, ...row }) => ({ ...row, isStale: isStale === 1 || unindexed.has(row.id) }));
  }

  /** Why searches read the texts of all books; undefined if they use an index. */
  findIndexLack(): Promise<IndexLack | undefined> {
    return this.#search.findLack();
  }

  /** Makes the texts of these books from the present rows. */
  async renew(bookIds: readonly string[]): Promise<void> {
    await this.#renew(bookIds, sql`true`);
  }

  /** Takes the texts of a language, which is deleted afterwards, from those of its books. */
  async removeLanguage(languageId: number): Promise<void> {
    const translations = this.db.selectFrom("translations").where("languageId", "=", languageId);
    const books = await translations.select("bookId").execute();
    await this.#renew(
      books.map(({ bookId }) => bookId),
      sql`"languageId" <> ${languageId}`,
    );
  }

  async #renew(bookIds: readonly string[], translations: RawBuilder<unknown>): Promise<void> {
    const yieldToEventLoop = createWriteYielder();
    for (const batch of splitIntoBatches(bookIds, BOOKS_AT_ONCE)) {
      await yieldToEventLoop();
      await this.#write(sql`"id" in (${sql.join(batch)})`, translations);
    }
  }

  async #write(books: RawBuilder<unknown>, translations: RawBuilder<unknown>): Promise<void> {
    await sql`insert into "book_texts" ("bookId", "searchText")
      select "id", ${createTextOfBook(translations)} from "books" where ${books}
      on conflict ("bookId") do update set "searchText" = excluded."searchText"`.execute(this.db);
  }
}

/** Which no word contains, so that none matches across two texts. */
const LINE_BREAK = sql.lit("\n");

/** @param translations which of them */
const createTextOfBook = (translations: RawBuilder<unknown>): RawBuilder<string> => {
  const texts = sql`select string_agg("searchText", ${LINE_BREAK} order by "id") from "translations"
    where "translations"."bookId" = "books"."id" and ${translations}`;
  return sql`"books"."searchText" || coalesce(${LINE_BREAK} || (${texts}), '')`;
};
