/** What is published: the questions that the public site and the downloads ask of the catalogue. */
import type { Expression, ExpressionBuilder, Selectable, SqlBool } from "kysely";
import type { Db } from "../db/kysely.ts";
import type { BookFilesTable, Schema } from "../db/schema.ts";
import type { BookRow } from "./books.repository.ts";
import { bookMentions } from "./search.ts";

/** A language with the one that it inherits from. */
export interface LanguageScope {
  id: number;
  parentId: number | null;
}

export interface PublicationFilter {
  language?: LanguageScope | undefined;
  channelId?: string | undefined;
  searchPattern?: string | undefined;
}

export type ActiveFileRow = Selectable<BookFilesTable>;

export interface VisibilityRow {
  bookId: string;
  languageId: number;
  isVisible: 0 | 1;
}

const scopeIds = ({ id, parentId }: LanguageScope): number[] => (parentId === null ? [id] : [id, parentId]);

export class PublicationRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Raised by every catalogue write in its own transaction: what is cached under it is true as long as it stays. */
  async catalogueVersion(): Promise<number> {
    const row = await this.#db.selectFrom("catalogue_version").select("version").executeTakeFirstOrThrow();
    return row.version;
  }

  async raiseCatalogueVersion(): Promise<void> {
    await this.#db
      .updateTable("catalogue_version")
      .set((eb) => ({ version: eb("version", "+", 1) }))
      .execute();
  }

  async count(filter: PublicationFilter): Promise<number> {
    const row = await this.#published(filter)
      .select((eb) => eb.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow();
    return row.total;
  }

  list(filter: PublicationFilter, { limit, offset }: { limit: number; offset: number }): Promise<BookRow[]> {
    return this.#inOrder(filter).limit(limit).offset(offset).execute();
  }

  listAll(filter: PublicationFilter): Promise<BookRow[]> {
    return this.#inOrder(filter).execute();
  }

  find(slugOrId: string): Promise<BookRow | undefined> {
    return this.#published({})
      .selectAll("books")
      .where((eb) => eb.or([eb("books.id", "=", slugOrId), eb("books.slug", "=", slugOrId)]))
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

  findChannel(slug: string): Promise<{ id: string } | undefined> {
    return this.#db
      .selectFrom("channels")
      .select("id")
      .where("slug", "=", slug)
      .where("isActive", "=", 1)
      .executeTakeFirst();
  }

  #inOrder(filter: PublicationFilter) {
    return this.#published(filter).selectAll("books").orderBy("sortOrder").orderBy("id");
  }

  #published({ language, channelId, searchPattern }: PublicationFilter) {
    let query = this.#db
      .selectFrom("books")
      .where("books.isActive", "=", 1)
      .where((eb) => hasVisibleFile(eb, language));
    if (channelId !== undefined) query = query.where((eb) => isOnChannel(eb, channelId, language));
    if (searchPattern !== undefined) query = query.where((eb) => bookMentions(eb, searchPattern));
    return query;
  }
}

type InBooks = ExpressionBuilder<Schema, "books">;

/** An active file in the language (or the one it inherits from) and nothing that hides the book there. */
function hasVisibleFile(eb: InBooks, language: LanguageScope | undefined): Expression<SqlBool> {
  const files = eb
    .selectFrom("book_files")
    .innerJoin("languages", "languages.id", "book_files.languageId")
    .leftJoin("book_visibility", (join) =>
      join
        .onRef("book_visibility.bookId", "=", "book_files.bookId")
        .on((on) => on("book_visibility.languageId", "=", language ? language.id : on.ref("languages.id"))),
    )
    .select("book_files.id")
    .whereRef("book_files.bookId", "=", "books.id")
    .where("book_files.isActive", "=", 1)
    .where((q) => q.or([q("book_visibility.isVisible", "is", null), q("book_visibility.isVisible", "=", 1)]));
  return eb.exists(
    language
      ? files.where("book_files.languageId", "in", scopeIds(language))
      : files.where("languages.isActive", "=", 1),
  );
}

function isOnChannel(
  eb: InBooks,
  channelId: string,
  language: LanguageScope | undefined,
): Expression<SqlBool> {
  const publications = eb
    .selectFrom("publications")
    .select("publications.bookId")
    .whereRef("publications.bookId", "=", "books.id")
    .where("publications.channelId", "=", channelId);
  return eb.exists(language ? publications.where("languageId", "in", scopeIds(language)) : publications);
}
