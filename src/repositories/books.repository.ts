/** Books as administrators see them. */
import type { Selectable, Updateable } from "kysely";
import { sql } from "kysely";
import type { Db } from "../db/kysely.ts";
import { type InsertRows, insertsInto } from "../db/row-inserts.ts";
import type { BooksTable } from "../db/schema.ts";
import type { SearchWords } from "../lib/text.ts";
import { bookMentions } from "./search.ts";

export type BookRow = Selectable<BooksTable>;

export interface BookWithCounts extends BookRow {
  translationsCount: number;
  filesCount: number;
  totalDownloads: number;
}

const countAll = sql<number>`count(*)`.as("n");
const totalDownloads = sql<number>`coalesce(sum(${sql.ref("downloadCount")}), 0)`.as("n");

export interface BookFilter {
  isActive?: 0 | 1 | undefined;
  search?: SearchWords | undefined;
  /** Only books with a translation or a file in this language. */
  languageId?: number | undefined;
}

export class BooksRepository {
  readonly #db: Db;
  readonly insert: InsertRows<"books">;

  constructor(db: Db) {
    this.#db = db;
    this.insert = insertsInto(db, "books");
  }

  find(id: string): Promise<BookRow | undefined> {
    return this.#db.selectFrom("books").selectAll().where("id", "=", id).executeTakeFirst();
  }

  findBySlug(slug: string): Promise<BookRow | undefined> {
    return this.#db.selectFrom("books").selectAll().where("slug", "=", slug).executeTakeFirst();
  }

  async lastSortOrder(): Promise<number> {
    const row = await this.#db
      .selectFrom("books")
      .select((eb) => eb.fn.max("sortOrder").as("last"))
      .executeTakeFirst();
    return row?.last ?? 0;
  }

  async count(filter: BookFilter): Promise<number> {
    const row = await this.#filtered(filter)
      .select((eb) => eb.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow();
    return row.total;
  }

  list(filter: BookFilter, { limit, offset }: { limit: number; offset: number }): Promise<BookWithCounts[]> {
    return this.#filtered(filter)
      .selectAll("books")
      .select((eb) => {
        const translations = eb.selectFrom("translations").whereRef("translations.bookId", "=", "books.id");
        const files = eb.selectFrom("book_files").whereRef("book_files.bookId", "=", "books.id");
        return [
          translations.select(countAll).$asScalar().$notNull().as("translationsCount"),
          files.select(countAll).$asScalar().$notNull().as("filesCount"),
          files.select(totalDownloads).$asScalar().$notNull().as("totalDownloads"),
        ];
      })
      .orderBy("books.sortOrder")
      .orderBy("books.id")
      .limit(limit)
      .offset(offset)
      .execute();
  }

  update(id: string, change: Updateable<BooksTable>): Promise<BookRow> {
    return this.#db
      .updateTable("books")
      .set(change)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  #filtered({ isActive, search, languageId }: BookFilter) {
    let query = this.#db.selectFrom("books");
    if (isActive !== undefined) query = query.where("books.isActive", "=", isActive);
    if (search !== undefined) query = query.where((eb) => bookMentions(eb, search));
    if (languageId !== undefined) {
      const inLanguage = (table: "translations" | "book_files") =>
        this.#db.selectFrom(table).select("bookId").where("languageId", "=", languageId);
      query = query.where((eb) =>
        eb.or([
          eb("books.id", "in", inLanguage("translations")),
          eb("books.id", "in", inLanguage("book_files")),
        ]),
      );
    }
    return query;
  }
}
