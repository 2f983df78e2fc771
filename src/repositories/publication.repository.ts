/** What is published: the questions that the public site and the downloads ask of the catalogue. */
import type {
  AliasableExpression,
  CompiledQuery,
  Expression,
  ExpressionBuilder,
  Selectable,
  SqlBool,
} from "kysely";
import type { Db } from "../db/kysely.ts";
import type { BookFilesTable, Schema } from "../db/schema.ts";
import type { SearchWords } from "../lib/text.ts";
import type { BookRow } from "./books.repository.ts";
import { bookMentions } from "./search.ts";

export type ActiveFileRow = Selectable<BookFilesTable>;

/** A book in a language. */
export interface PlaceRow {
  bookId: string;
  languageId: number;
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

  /** In which languages the books are published; with a channel, on that channel. */
  async placesOf(bookIds: readonly string[], channelId?: string): Promise<PlaceRow[]> {
    if (bookIds.length === 0) return [];
    return this.#db
      .selectFrom(["books", "languages"])
      .select(["books.id as bookId", "languages.id as languageId"])
      .where("books.id", "in", bookIds)
      .where((eb) => isPublishedIn(eb, channelId))
      .execute();
  }

  /** The languages whose readers may see a book's covers: active, and nothing hides the book there. */
  async languagesShowing(bookId: string): Promise<number[]> {
    const rows = await this.#db
      .selectFrom(["books", "languages"])
      .select("languages.id")
      .where("books.id", "=", bookId)
      .where("languages.isActive", "=", 1)
      .where((eb) => eb.not(eb.exists(hidingsOfBook(eb))))
      .execute();
    return rows.map((row) => row.id);
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

/** A language with the one that it inherits from. */
export interface LanguageScope {
  id: number;
  parentId: number | null;
}

/** The language and, if there is one, that which it inherits from. */
export const scopeIds = ({ id, parentId }: LanguageScope): number[] =>
  parentId === null ? [id] : [id, parentId];

interface PublicationFilter {
  /** Only what is published in this language; otherwise what is published in any. */
  language?: LanguageScope | undefined;
  channelId?: string | undefined;
  search?: SearchWords | undefined;
}

/** Published in the language that is asked for or, without one, in any. */
function isPublished(
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
