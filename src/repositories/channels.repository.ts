/** Channels on which books are published. */
import { type ExpressionBuilder, type Selectable, type SqlBool, sql } from "kysely";
import { createBookSearch } from "../db/book-search.ts";
import { createWriteYielder } from "../db/group-commit.ts";
import { createInsert, insertAll } from "../db/rows.ts";
import { allOf, type Schema } from "../db/schema.ts";
import { splitIntoBatches } from "../lib/collections.ts";
import type { SearchWords } from "../lib/text.ts";
import type { BookRow } from "./books.repository.ts";
import {
  type LanguageScope,
  scopeIds,
  selectFilesOfBook,
  selectHidingsOfBook,
  selectPublished,
} from "./publication-rules.ts";
import {
  type Page,
  Repository,
  ROWS_PER_STATEMENT,
  repositoryOf,
  selectPage,
  splitTotal,
} from "./repository.ts";
import { isFound } from "./search.ts";

export type ChannelRow = Selectable<Schema["channels"]>;

export class ChannelsRepository extends repositoryOf("channels") {
  /** All channels, in their order. */
  list(): Promise<ChannelRow[]> {
    return this.db
      .selectFrom("channels")
      .select(allOf("channels"))
      .orderBy("sortOrder")
      .orderBy("id")
      .execute();
  }

  findBySlug(slug: string): Promise<ChannelRow | undefined> {
    return this.findBy("slug", slug);
  }

  /** 0 if there is no channel. */
  async findLastSortOrder(): Promise<number> {
    const { last } = await this.db
      .selectFrom("channels")
      .select((eb) => eb.fn.max<number | null>("sortOrder").as("last"))
      .executeTakeFirstOrThrow();
    return last ?? 0;
  }
}

/** A book in the publication matrix. */
export type MatrixBookRow = Pick<BookRow, "id" | "slug" | "titleEn" | "sortOrder">;

export interface BookInLanguageRow extends MatrixBookRow {
  /** In the language or its parent. */
  hasFile: SqlBool;
  isHidden: SqlBool;
}

/** The books on a channel in a language. */
interface PublishedBooks {
  channelId: string;
  /** Separated by spaces. */
  bookIds: string;
}

/** A book in the publication grid of a language. */
export interface GridBookRow extends Pick<BookRow, "id" | "titleEn" | "sortOrder"> {
  /** In the language or its parent. */
  hasFile: SqlBool;
  /** Of the translation in the language; null if there is none. */
  title: string | null;
  /** The same in the parent language. */
  parentTitle: string | null;
  /** The ids of the channels in the language, separated by spaces; null if there are none. */
  channelIds: string | null;
  /** The same in the parent language. */
  parentChannelIds: string | null;
}

export type PublicationPlace = Omit<Schema["publications"], "createdAt">;

export class MatrixRepository extends Repository {
  readonly insert = createInsert(this.db, "publications");
  readonly #search = createBookSearch(this.db);

  /** The ids of the active books, in their order. */
  async listBookIds(): Promise<string[]> {
    const rows = await this.db
      .selectFrom("books")
      .select("id")
      .where("isActive", "=", 1)
      .orderBy("sortOrder")
      .orderBy("id")
      .execute();
    return rows.map(({ id }) => id);
  }

  /** The active ones of these books, in their order. */
  findBooks(ids: readonly string[]): Promise<MatrixBookRow[]> {
    return this.#selectBooks(ids).execute();
  }

  /** The same with their files in this language. */
  findBooksIn(ids: readonly string[], languageId: number): Promise<BookInLanguageRow[]> {
    return this.#selectBooks(ids)
      .innerJoin("languages", (join) => join.on("languages.id", "=", languageId))
      .select((eb) => [
        eb.exists(selectFilesOfBook(eb)).as("hasFile"),
        eb.exists(selectHidingsOfBook(eb)).as("isHidden"),
      ])
      .execute();
  }

  /**
   * A page of the active books with their channels in the language, unordered, and the number of all that match. One row
   * per book with all its channels, because one row per publication would be ten times slower; unordered, because a
   * database sorts rows with all that is in them.
   */
  async listGrid(
    { language, search }: { language: LanguageScope; search: SearchWords | undefined },
    page: Page,
  ): Promise<{ rows: GridBookRow[]; total: number }> {
    const active = this.db.selectFrom("books").where("books.isActive", "=", 1);
    const books = search && (await this.#search.find(search));
    const matching = books ? active.where((eb) => isFound(eb, books)) : active;
    const found = await selectPage(this.db, matching, page)
      .innerJoin("languages", (join) => join.on("languages.id", "=", language.id))
      .clearOrderBy()
      .select(["books.id", "books.titleEn", "books.sortOrder"])
      .select((eb) => [
        eb.exists(selectFilesOfBook(eb)).as("hasFile"),
        titleOfBook(eb, language.id).as("title"),
        titleOfBook(eb, language.parentId).as("parentTitle"),
        channelsOfBook(eb, language.id).as("channelIds"),
        channelsOfBook(eb, language.parentId).as("parentChannelIds"),
      ])
      .execute();
    return splitTotal(found, page, matching);
  }

  /** One row per channel with all its books: one row per book would be ten times slower. */
  listPublishedBooks(languageId: number): Promise<PublishedBooks[]> {
    return this.db
      .selectFrom("publications")
      .select("channelId")
      .select((eb) => eb.fn.agg<string>("string_agg", ["bookId", sql.lit(" ")]).as("bookIds"))
      .where("languageId", "=", languageId)
      .groupBy("channelId")
      .execute();
  }

  /** The languages of the scope in which the book is on the channel. */
  async findLanguages(bookId: string, channelId: string, language: LanguageScope): Promise<number[]> {
    const rows = await this.db
      .selectFrom("publications")
      .select("languageId")
      .where("languageId", "in", scopeIds(language))
      .where("channelId", "=", channelId)
      .where("bookId", "=", bookId)
      .execute();
    return rows.map((row) => row.languageId);
  }

  /** The number of books that are published on each channel in some language, of channels that have any. */
  countPublishedBooks(at: number): Promise<{ channelId: string; publishedBooks: number }[]> {
    return selectPublished(this.db, at)
      .select("publications.channelId")
      .select((eb) => eb.fn.count<number>("publications.bookId").distinct().as("publishedBooks"))
      .groupBy("publications.channelId")
      .execute();
  }

  /** The publications of a book, in the order of the channels, then by language. */
  placesOfBook(bookId: string): Promise<PublicationPlace[]> {
    return this.db
      .selectFrom("publications")
      .innerJoin("channels", "channels.id", "publications.channelId")
      .select(["publications.bookId", "publications.channelId", "publications.languageId"])
      .where("publications.bookId", "=", bookId)
      .orderBy("channels.sortOrder")
      .orderBy("channels.id")
      .orderBy("publications.languageId")
      .execute();
  }

  /** The publications of these books on these channels in these languages, unordered. */
  async findPlacesOf(
    bookIds: readonly string[],
    channelIds: readonly string[],
    languageIds: readonly number[],
  ): Promise<PublicationPlace[]> {
    if (channelIds.length === 0 || languageIds.length === 0) return [];
    const places: PublicationPlace[] = [];
    const yieldToEventLoop = createWriteYielder();
    for (const batch of splitIntoBatches(bookIds, ROWS_PER_STATEMENT)) {
      await yieldToEventLoop();
      places.push(
        ...(await this.db
          .selectFrom("publications")
          .select(["bookId", "channelId", "languageId"])
          .where("bookId", "in", batch)
          .where("channelId", "in", channelIds)
          .where("languageId", "in", languageIds)
          .execute()),
      );
    }
    return places;
  }

  /** Faster if they are sorted by language, channel and book, as in the table's key. */
  insertAll(rows: readonly Schema["publications"][]): Promise<void> {
    return insertAll(this.insert, rows);
  }

  async delete({ bookId, ...place }: PublicationPlace): Promise<void> {
    await this.deleteAll(place, [bookId]);
  }

  /** Takes books off a channel in a language. */
  async deleteAll(
    { channelId, languageId }: Omit<PublicationPlace, "bookId">,
    bookIds: readonly string[],
  ): Promise<void> {
    const yieldToEventLoop = createWriteYielder();
    for (const batch of splitIntoBatches(bookIds, ROWS_PER_STATEMENT)) {
      await yieldToEventLoop();
      await this.db
        .deleteFrom("publications")
        .where("languageId", "=", languageId)
        .where("channelId", "=", channelId)
        .where("bookId", "in", batch)
        .execute();
    }
  }

  #selectBooks(ids: readonly string[]) {
    return this.db
      .selectFrom("books")
      .select(["books.id", "books.slug", "books.titleEn", "books.sortOrder"])
      .where("books.id", "in", ids)
      .where("books.isActive", "=", 1)
      .orderBy("books.sortOrder")
      .orderBy("books.id");
  }
}

/** The title of the current book in a language: for null, none. */
const titleOfBook = (eb: ExpressionBuilder<Schema, "books">, languageId: number | null) =>
  eb
    .selectFrom("translations")
    .whereRef("translations.bookId", "=", "books.id")
    .where("translations.languageId", "=", languageId)
    .select("translations.title")
    .$asScalar();

/** The channels of the current book in a language: for null, none. */
const channelsOfBook = (eb: ExpressionBuilder<Schema, "books">, languageId: number | null) =>
  eb
    .selectFrom("publications")
    .whereRef("publications.bookId", "=", "books.id")
    .where("publications.languageId", "=", languageId)
    .select((q) => q.fn.agg<string | null>("string_agg", ["publications.channelId", sql.lit(" ")]).as("ids"))
    .$asScalar();
