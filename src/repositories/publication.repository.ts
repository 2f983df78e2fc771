/** Published books: queries for the public catalogue and downloads. */

import {
  type AliasableExpression,
  type Expression,
  type ExpressionBuilder,
  type Selectable,
  type SqlBool,
  sql,
} from "kysely";
import { allOf } from "../db/columns.ts";
import type { Db } from "../db/kysely.ts";
import { oncePerSavepoint } from "../db/rows.ts";
import type { BookFilesTable, Schema } from "../db/schema.ts";
import type { SearchWords } from "../lib/text.ts";
import type { BookRow } from "./books.repository.ts";
import type { Reach } from "./change.ts";
import { numberOfRows, type Page, Repository } from "./repository.ts";
import { bookMentions } from "./search.ts";

export type ActiveFileRow = Selectable<BookFilesTable>;

/** A book in a language. */
export interface BookLanguageRow {
  bookId: string;
  languageId: number;
}

export class PublicationRepository extends Repository {
  /**
   * Compiled once, because nearly every public request and every change runs it, and compiling it each time adds half
   * of its cost.
   */
  readonly #version = this.compiled<{ version: number }, []>(
    this.db.selectFrom("catalogue_version").select("version").compile(),
  );
  readonly #raise = this.db
    .updateTable("catalogue_version")
    .set((eb) => ({ version: eb("version", "+", 1) }))
    .compile();
  readonly #raiseByLanguage = this.db
    .updateTable("catalogue_version")
    .set((eb) => ({ version: eb("version", "+", 1), byLanguage: eb("byLanguage", "+", 1) }))
    .compile();
  readonly #raiseLanguages = this.compiled<
    never,
    [string | null, string | null, number | null, number | null]
  >(raisedLanguages(this.db).compile());

  /** Every catalogue write raises it in its transaction: a cached value is valid while the version stays the same. */
  async catalogueVersion(): Promise<number> {
    const [row] = await this.#version();
    if (!row) throw new Error("The catalogue has no version");
    return row.version;
  }

  /** Like `catalogueVersion`, read once for several writes that share a savepoint, none of which changes the catalogue. */
  readonly versionDuringWrite = oncePerSavepoint(() => this.catalogueVersion());

  /** All versions: `forAll` counts the changes that concern all languages, `byLanguage` the others. */
  async catalogueVersions(): Promise<{ version: number; forAll: number; byLanguage: Map<number, number> }> {
    // In one statement, so that they are those of one moment.
    const rows = await this.db
      .selectFrom("catalogue_version")
      .leftJoin("language_versions", (join) => join.onTrue())
      .select(["catalogue_version.version", "catalogue_version.byLanguage"])
      .select(["language_versions.languageId", "language_versions.version as changes"])
      .execute();
    const [first] = rows;
    if (!first) throw new Error("The catalogue has no version");
    const { version, byLanguage } = first;
    const changes = rows.flatMap(({ languageId, changes }) =>
      languageId === null || changes === null ? [] : [[languageId, changes] as const],
    );
    return { version, forAll: version - byLanguage, byLanguage: new Map(changes) };
  }

  /** @param reach where readers can see the change; undefined: in all languages */
  async raiseCatalogueVersion(reach?: Reach): Promise<void> {
    if (!reach) return void (await this.db.executeQuery(this.#raise));
    const { bookId = null, languageId = null } = reach;
    // Sent together: on PostgreSQL every wait is a round trip, and all writers wait for it.
    await Promise.all([
      this.db.executeQuery(this.#raiseByLanguage),
      this.#raiseLanguages(bookId, bookId, languageId, languageId),
    ]);
  }

  count(filter: PublicationFilter): Promise<number> {
    return numberOfRows(this.#published(filter));
  }

  list(filter: PublicationFilter, { limit, offset }: Page): Promise<BookRow[]> {
    return this.#published(filter)
      .select(allOf("books"))
      .orderBy("sortOrder")
      .orderBy("id")
      .limit(limit)
      .offset(offset)
      .execute();
  }

  /** A page and the total number of matches in one statement, so that the search runs once. */
  async search(filter: PublicationFilter, { limit, offset }: Page) {
    const page = this.#published(filter)
      .select((eb) => ["books.id as bookId", eb.fn.countAll<number>().over().as("total")])
      .orderBy("sortOrder")
      .orderBy("id")
      .limit(limit)
      .offset(offset);
    const found = await this.db
      .selectFrom(page.as("page"))
      .innerJoin("books", "books.id", "page.bookId")
      .select(allOf("books"))
      .select("page.total")
      .orderBy("sortOrder")
      .orderBy("id")
      .execute();
    const total = found[0]?.total ?? (offset === 0 ? 0 : await this.count(filter));
    return { rows: found.map(({ total: _, ...row }): BookRow => row), total };
  }

  listAll(filter: PublicationFilter): Promise<BookRow[]> {
    return this.#published(filter).select(allOf("books")).orderBy("sortOrder").orderBy("id").execute();
  }

  /** Number of published books by language; languages without books are omitted. */
  async booksByLanguage(): Promise<Map<number, number>> {
    const rows = await this.db
      .selectFrom(["books", "languages"])
      .select((eb) => ["languages.id as languageId", eb.fn.countAll<number>().as("booksCount")])
      .where((eb) => isPublishedIn(eb))
      .groupBy("languages.id")
      .execute();
    return new Map(rows.map((row) => [row.languageId, row.booksCount]));
  }

  /** An id takes precedence over an equal slug of another book. */
  find(slugOrId: string): Promise<BookRow | undefined> {
    return this.#published({})
      .select(allOf("books"))
      .where((eb) => eb.or([eb("books.id", "=", slugOrId), eb("books.slug", "=", slugOrId)]))
      .orderBy((eb) => eb("books.id", "=", slugOrId), "desc")
      .executeTakeFirst();
  }

  async activeFilesOf(bookIds: readonly string[]): Promise<ActiveFileRow[]> {
    if (bookIds.length === 0) return [];
    return this.db
      .selectFrom("book_files")
      .select(allOf("book_files"))
      .where("bookId", "in", bookIds)
      .where("isActive", "=", 1)
      .orderBy("fileType")
      .orderBy("id")
      .execute();
  }

  activeFilesOfLanguage(language: LanguageScope): Promise<ActiveFileRow[]> {
    return this.db
      .selectFrom("book_files")
      .select(allOf("book_files"))
      .where("languageId", "in", scopeIds(language))
      .where("isActive", "=", 1)
      .orderBy("fileType")
      .orderBy("id")
      .execute();
  }

  /** The languages in which the books are published; with a channel, on that channel. */
  async placesOf(bookIds: readonly string[], channelId?: string): Promise<BookLanguageRow[]> {
    if (bookIds.length === 0) return [];
    return this.db
      .selectFrom(["books", "languages"])
      .select(["books.id as bookId", "languages.id as languageId"])
      .where("books.id", "in", bookIds)
      .where((eb) => isPublishedIn(eb, channelId))
      .execute();
  }

  /** The languages whose readers can see a book's covers: active ones in which the book isn't hidden. */
  async languagesShowing(bookId: string): Promise<number[]> {
    const rows = await this.db
      .selectFrom(["books", "languages"])
      .select("languages.id")
      .where("books.id", "=", bookId)
      .where("languages.isActive", "=", 1)
      .where((eb) => eb.not(eb.exists(hidingsOfBook(eb))))
      .execute();
    return rows.map((row) => row.id);
  }

  async isActiveLanguage(languageId: number): Promise<boolean> {
    const language = await this.db
      .selectFrom("languages")
      .select("id")
      .where("id", "=", languageId)
      .where("isActive", "=", 1)
      .executeTakeFirst();
    return language !== undefined;
  }

  /** Whether the book is published in the language and the file is one of those that its readers can get. */
  async isPublishedFile({ bookId, languageId }: BookLanguageRow, fileId: string): Promise<boolean> {
    const book = await this.db
      .selectFrom(["books", "languages"])
      .select("books.id")
      .where("books.id", "=", bookId)
      .where("languages.id", "=", languageId)
      .where((eb) => isPublishedIn(eb))
      .where((eb) => eb.exists(filesOfBook(eb).where("book_files.id", "=", fileId)))
      .executeTakeFirst();
    return book !== undefined;
  }

  findChannel(slug: string): Promise<{ id: string } | undefined> {
    return this.db
      .selectFrom("channels")
      .select("id")
      .where("slug", "=", slug)
      .where("isActive", "=", 1)
      .executeTakeFirst();
  }

  #published(filter: PublicationFilter) {
    return this.db.selectFrom("books").where((eb) => isPublished(eb, filter));
  }
}

/** Raises the versions of the languages that a change reaches. Its values are those of `Reach`, each of them twice. */
function raisedLanguages(db: Db) {
  const none = sql.val<number | null>(null);
  const filesOf = db
    .selectFrom("book_files")
    .select("book_files.languageId")
    .where("bookId", "=", sql.val<string | null>(null))
    .where("isActive", "=", sql.lit(1));
  return db
    .insertInto("language_versions")
    .columns(["languageId", "version"])
    .expression((eb) =>
      eb
        .selectFrom("languages")
        .select(["languages.id", sql.lit(1).as("version")])
        .where((q) =>
          q.or([
            q("languages.id", "in", filesOf),
            q("languages.parentId", "in", filesOf),
            q("languages.id", "=", none),
            q("languages.parentId", "=", none),
          ]),
        ),
    )
    .onConflict((conflict) =>
      conflict
        .column("languageId")
        .doUpdateSet((eb) => ({ version: eb("language_versions.version", "+", sql.lit(1)) })),
    );
}

/** A language and its parent. */
export interface LanguageScope {
  id: number;
  parentId: number | null;
}

/** The ids of the language and, if there is one, its parent. */
export const scopeIds = ({ id, parentId }: LanguageScope): number[] =>
  parentId === null ? [id] : [id, parentId];

interface PublicationFilter {
  /** Only books that are published in this language; if undefined, in any language. */
  language?: LanguageScope | undefined;
  channelId?: string | undefined;
  search?: SearchWords | undefined;
}

/** Whether the book is published in the requested language or, without one, in any. */
function isPublished(
  eb: ExpressionBuilder<Schema, "books">,
  { language, channelId, search }: PublicationFilter,
): Expression<SqlBool> {
  const published = eb
    .selectFrom("languages")
    .select("languages.id")
    .where((inLanguages) => isPublishedIn(inLanguages, channelId));
  const isListed = eb.exists(language ? published.where("languages.id", "=", language.id) : published);
  return search === undefined ? isListed : eb.and([isListed, bookMentions(eb, search)]);
}

/**
 * A book is published in a language if both are active, an active file exists in the language or its parent, the book
 * isn't hidden in the language, and, if a channel is requested, the book is on the channel in the language or its
 * parent. The parent language needn't be active.
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

/** Active files of the current book in the current language or its parent. */
export const filesOfBook = (eb: ExpressionBuilder<Schema, "books" | "languages">) =>
  eb
    .selectFrom("book_files")
    .select("book_files.id")
    .whereRef("book_files.bookId", "=", "books.id")
    .where("book_files.isActive", "=", 1)
    .where((q) => q("book_files.languageId", "in", [q.ref("languages.id"), q.ref("languages.parentId")]));

/**
 * Overrides that hide the current book in the current language. They only count while the language has a parent: a
 * language can lose its parent by an update or by the parent's deletion, and its overrides could then neither be seen
 * nor removed. They are kept so that an accidental change loses nothing.
 */
export const hidingsOfBook = (eb: ExpressionBuilder<Schema, "books" | "languages">) =>
  eb
    .selectFrom("book_visibility")
    .select("book_visibility.bookId")
    .whereRef("book_visibility.bookId", "=", "books.id")
    .whereRef("book_visibility.languageId", "=", "languages.id")
    .where("book_visibility.isVisible", "=", 0)
    .where((q) => q("languages.parentId", "is not", null));
