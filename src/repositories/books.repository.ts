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

  /** A page and the number of all that match, in one pass: what is looked for is looked for once. */
  async list(filter: BookFilter, { limit, offset }: { limit: number; offset: number }) {
    const page = this.#filtered(filter)
      .select((eb) => ["books.id as bookId", eb.fn.countAll<number>().over().as("total")])
      .orderBy("books.sortOrder")
      .orderBy("books.id")
      .limit(limit)
      .offset(offset);
    const found = await this.#db
      .selectFrom(page.as("page"))
      .innerJoin("books", "books.id", "page.bookId")
      .selectAll("books")
      .select((eb) => {
        const translations = eb.selectFrom("translations").whereRef("translations.bookId", "=", "books.id");
        const files = eb.selectFrom("book_files").whereRef("book_files.bookId", "=", "books.id");
        return [
          "page.total",
          translations.select(countAll).$asScalar().$notNull().as("translationsCount"),
          files.select(countAll).$asScalar().$notNull().as("filesCount"),
          files.select(totalDownloads).$asScalar().$notNull().as("totalDownloads"),
        ];
      })
      .orderBy("books.sortOrder")
      .orderBy("books.id")
      .execute();
    const total = found[0]?.total ?? (offset === 0 ? 0 : await this.count(filter));
    return { rows: found.map(({ total: _, ...row }): BookWithCounts => row), total };
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
