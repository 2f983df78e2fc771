/** Covers of books: rows that refer to stored images. */
import type { Insertable, Selectable, Updateable } from "kysely";
import type { Db } from "../db/kysely.ts";
import type { CoversTable } from "../db/schema.ts";

export interface CoverRow extends Selectable<CoversTable> {
  /** Null for the default cover. */
  languageCode: string | null;
}

export class CoversRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  #withLanguage() {
    return this.#db
      .selectFrom("covers")
      .leftJoin("languages", "languages.id", "covers.languageId")
      .selectAll("covers")
      .select("languages.code as languageCode");
  }

  /** Covers of all active books, in book order, and for each book as in `listOfBook`. */
  listOfActiveBooks(): Promise<CoverRow[]> {
    return this.#withLanguage()
      .innerJoin("books", "books.id", "covers.bookId")
      .where("books.isActive", "=", 1)
      .orderBy("books.sortOrder")
      .orderBy("books.id")
      .orderBy((eb) => eb("covers.languageId", "is", null), "desc")
      .orderBy("languages.code")
      .execute();
  }

  /** The default cover first, then by language code. */
  listOfBook(bookId: string): Promise<CoverRow[]> {
    return this.#withLanguage()
      .where("bookId", "=", bookId)
      .orderBy((eb) => eb("covers.languageId", "is", null), "desc")
      .orderBy("languages.code")
      .execute();
  }

  /** @param languageId null for the default cover */
  find(bookId: string, languageId: number | null): Promise<CoverRow | undefined> {
    return this.#withLanguage()
      .where("bookId", "=", bookId)
      .where("covers.languageId", languageId === null ? "is" : "=", languageId)
      .executeTakeFirst();
  }

  async insert(row: Insertable<CoversTable>): Promise<void> {
    await this.#db.insertInto("covers").values(row).execute();
  }

  async update(id: string, change: Updateable<CoversTable>): Promise<void> {
    await this.#db.updateTable("covers").set(change).where("id", "=", id).execute();
  }

  async delete(id: string): Promise<void> {
    await this.#db.deleteFrom("covers").where("id", "=", id).execute();
  }

  /** The content addresses of a book's covers. */
  async hashesOfBook(bookId: string): Promise<string[]> {
    const rows = await this.#db
      .selectFrom("covers")
      .select("sha256")
      .distinct()
      .where("bookId", "=", bookId)
      .execute();
    return rows.map((row) => row.sha256);
  }

  /** The content addresses of the covers in a language. */
  async hashesOfLanguage(languageId: number): Promise<string[]> {
    const rows = await this.#db
      .selectFrom("covers")
      .select("sha256")
      .distinct()
      .where("languageId", "=", languageId)
      .execute();
    return rows.map((row) => row.sha256);
  }
}
