/** What is published: the questions that the public site and the downloads ask of the catalogue. */
import type { CompiledQuery, Selectable } from "kysely";
import type { Db } from "../db/kysely.ts";
import type { BookFilesTable } from "../db/schema.ts";
import type { BookRow } from "./books.repository.ts";
import {
  isPublished,
  isPublishedIn,
  type LanguageScope,
  type PublicationFilter,
  scopeIds,
} from "./publication-sql.ts";

export type ActiveFileRow = Selectable<BookFilesTable>;

/** A book in a language. */
export interface PlaceRow {
  bookId: string;
  languageId: number;
}

export interface VisibilityRow extends PlaceRow {
  isVisible: 0 | 1;
}

export class PublicationRepository {
  readonly #db: Db;
  /** Nearly every public request asks it, and every change raises it: compiled each time, it would cost half as much again. */
  readonly #version: CompiledQuery<{ version: number }>;
  readonly #nextVersion: CompiledQuery;

  constructor(db: Db) {
    this.#db = db;
    this.#version = db.selectFrom("catalogue_version").select("version").compile();
    this.#nextVersion = db
      .updateTable("catalogue_version")
      .set((eb) => ({ version: eb("version", "+", 1) }))
      .compile();
  }

  /** Raised by every catalogue write in its own transaction: what is cached under it is true as long as it stays. */
  async catalogueVersion(): Promise<number> {
    const [row] = (await this.#db.executeQuery(this.#version)).rows;
    if (!row) throw new Error("The catalogue has no version");
    return row.version;
  }

  async raiseCatalogueVersion(): Promise<void> {
    await this.#db.executeQuery(this.#nextVersion);
  }

  async count(filter: PublicationFilter): Promise<number> {
    const row = await this.#published(filter)
      .select((eb) => eb.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow();
    return row.total;
  }

  list(filter: PublicationFilter, { limit, offset }: { limit: number; offset: number }): Promise<BookRow[]> {
    return this.#published(filter)
      .selectAll("books")
      .orderBy("sortOrder")
      .orderBy("id")
      .limit(limit)
      .offset(offset)
      .execute();
  }

  /** A page and the number of all that match, in one pass: what is looked for is looked for once. */
  async search(filter: PublicationFilter, { limit, offset }: { limit: number; offset: number }) {
    const page = this.#published(filter)
      .select((eb) => ["books.id as bookId", eb.fn.countAll<number>().over().as("total")])
      .orderBy("sortOrder")
      .orderBy("id")
      .limit(limit)
      .offset(offset);
    const found = await this.#db
      .selectFrom(page.as("page"))
      .innerJoin("books", "books.id", "page.bookId")
      .selectAll("books")
      .select("page.total")
      .orderBy("sortOrder")
      .orderBy("id")
      .execute();
    const total = found[0]?.total ?? (offset === 0 ? 0 : await this.count(filter));
    return { rows: found.map(({ total: _, ...row }): BookRow => row), total };
  }

  listAll(filter: PublicationFilter): Promise<BookRow[]> {
    return this.#published(filter).selectAll("books").orderBy("sortOrder").orderBy("id").execute();
  }

  /** How many books are published in each language that has any. */
  async booksByLanguage(): Promise<Map<number, number>> {
    const rows = await this.#db
      .selectFrom(["books", "languages"])
      .select((eb) => ["languages.id as languageId", eb.fn.countAll<number>().as("booksCount")])
      .where((eb) => isPublishedIn(eb))
      .groupBy("languages.id")
      .execute();
    return new Map(rows.map((row) => [row.languageId, row.booksCount]));
  }

  /** An id comes before another book's slug that looks the same. */
  find(slugOrId: string): Promise<BookRow | undefined> {
    return this.#published({})
      .selectAll("books")
      .where((eb) => eb.or([eb("books.id", "=", slugOrId), eb("books.slug", "=", slugOrId)]))
      .orderBy((eb) => eb("books.id", "=", slugOrId), "desc")
      .executeTakeFirst();
  }

  async activeFilesOf(bookIds: readonly string[]): Promise<ActiveFileRow[]> {
    if (bookIds.length === 0) return [];
    return this.#db
      .selectFrom("book_files")
      .selectAll()
      .where("bookId", "in", bookIds)
      .where("isActive", "=", 1)
      .orderBy("fileType")
      .orderBy("id")
      .execute();
  }

  activeFilesOfLanguage(language: LanguageScope): Promise<ActiveFileRow[]> {
    return this.#db
      .selectFrom("book_files")
      .selectAll()
      .where("languageId", "in", scopeIds(language))
      .where("isActive", "=", 1)
      .orderBy("fileType")
      .orderBy("id")
      .execute();
  }

  async visibilityOf(bookIds: readonly string[]): Promise<VisibilityRow[]> {
    if (bookIds.length === 0) return [];
    return this.#db
      .selectFrom("book_visibility")
      .select(["bookId", "languageId", "isVisible"])
      .where("bookId", "in", bookIds)
      .execute();
  }

  /** Where books are published on a channel. */
  async placesOf(bookIds: readonly string[], channelId: string): Promise<PlaceRow[]> {
    if (bookIds.length === 0) return [];
    return this.#db
      .selectFrom("publications")
      .select(["bookId", "languageId"])
      .where("bookId", "in", bookIds)
      .where("channelId", "=", channelId)
      .execute();
  }

  findChannel(slug: string): Promise<{ id: string } | undefined> {
    return this.#db
      .selectFrom("channels")
      .select("id")
      .where("slug", "=", slug)
      .where("isActive", "=", 1)
      .executeTakeFirst();
  }

  #published(filter: PublicationFilter) {
    return this.#db.selectFrom("books").where((eb) => isPublished(eb, filter));
  }
}
