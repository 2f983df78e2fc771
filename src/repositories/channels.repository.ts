/** Channels on which books are published. */
import { type Insertable, type Selectable, type SqlBool, sql, type Updateable } from "kysely";
import type { Db } from "../db/kysely.ts";
import type { ChannelsTable, PublicationsTable } from "../db/schema.ts";
import type { BookRow } from "./books.repository.ts";
import { filesOfBook, hidingsOfBook, type LanguageScope, scopeIds } from "./publication.repository.ts";

export type ChannelRow = Selectable<ChannelsTable>;

export class ChannelsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** All, in their order. */
  list(): Promise<ChannelRow[]> {
    return this.#db.selectFrom("channels").selectAll().orderBy("sortOrder").orderBy("id").execute();
  }

  find(id: string): Promise<ChannelRow | undefined> {
    return this.#db.selectFrom("channels").selectAll().where("id", "=", id).executeTakeFirst();
  }

  findBySlug(slug: string): Promise<ChannelRow | undefined> {
    return this.#db.selectFrom("channels").selectAll().where("slug", "=", slug).executeTakeFirst();
  }

  async lastSortOrder(): Promise<number> {
    const row = await this.#db
      .selectFrom("channels")
      .select((eb) => eb.fn.max("sortOrder").as("last"))
      .executeTakeFirst();
    return row?.last ?? 0;
  }

  insert(row: Insertable<ChannelsTable>): Promise<ChannelRow> {
    return this.#db.insertInto("channels").values(row).returningAll().executeTakeFirstOrThrow();
  }

  update(id: string, change: Updateable<ChannelsTable>): Promise<ChannelRow> {
    return this.#db
      .updateTable("channels")
      .set(change)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  /** Its publications go with it. */
  async delete(id: string): Promise<void> {
    await this.#db.deleteFrom("channels").where("id", "=", id).execute();
  }
}

/** A book in the publication matrix. */
export type MatrixBookRow = Pick<BookRow, "id" | "slug" | "titleEn" | "sortOrder">;

export interface BookInLanguageRow extends MatrixBookRow {
  /** In the language or the one that it inherits from. */
  hasFile: SqlBool;
  isHidden: SqlBool;
}

/** The books that a language has published on a channel. */
export interface PublishedBooks {
  channelId: string;
  /** Separated by blanks. */
  bookIds: string;
}

export type PublicationPlace = Omit<PublicationsTable, "createdAt">;

export class MatrixRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** The active books in their order. */
  books(): Promise<MatrixBookRow[]> {
    return this.#activeBooks().execute();
  }

  /** The same, with what a reader of this language gets of them. */
  booksIn(languageId: number): Promise<BookInLanguageRow[]> {
    return this.#activeBooks()
      .innerJoin("languages", (join) => join.on("languages.id", "=", languageId))
      .select((eb) => [eb.exists(filesOfBook(eb)).as("hasFile"), eb.exists(hidingsOfBook(eb)).as("isHidden")])
      .execute();
  }

  /** A row for each channel with all its books: a row for each of these would take ten times as long. */
  publishedBooks(languageId: number): Promise<PublishedBooks[]> {
    return this.#db
      .selectFrom("publications")
      .select("channelId")
      .select((eb) => eb.fn.agg<string>("string_agg", ["bookId", sql.lit(" ")]).as("bookIds"))
      .where("languageId", "=", languageId)
      .groupBy("channelId")
      .execute();
  }

  /** In which of the languages of a scope the book is on the channel. */
  async languagesOf(bookId: string, channelId: string, language: LanguageScope): Promise<number[]> {
    const rows = await this.#db
      .selectFrom("publications")
      .select("languageId")
      .where("languageId", "in", scopeIds(language))
      .where("channelId", "=", channelId)
      .where("bookId", "=", bookId)
      .execute();
    return rows.map((row) => row.languageId);
  }

  async insert(row: PublicationsTable): Promise<void> {
    await this.#db.insertInto("publications").values(row).execute();
  }

  async delete({ bookId, channelId, languageId }: PublicationPlace): Promise<void> {
    await this.#db
      .deleteFrom("publications")
      .where("languageId", "=", languageId)
      .where("channelId", "=", channelId)
      .where("bookId", "=", bookId)
      .execute();
  }

  #activeBooks() {
    return this.#db
      .selectFrom("books")
      .select(["books.id", "books.slug", "books.titleEn", "books.sortOrder"])
      .where("books.isActive", "=", 1)
      .orderBy("books.sortOrder")
      .orderBy("books.id");
  }
}
