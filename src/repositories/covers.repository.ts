/** Covers of books: rows that refer to stored images. */
import type { Selectable } from "kysely";
import { allOf, type Schema } from "../db/schema.ts";
import { repositoryOf } from "./repository.ts";

export interface CoverRow extends Selectable<Schema["covers"]> {
  /** Null for the default cover. */
  languageCode: string | null;
}

export class CoversRepository extends repositoryOf("covers") {
  #withLanguage() {
    return this.db
      .selectFrom("covers")
      .leftJoin("languages", "languages.id", "covers.languageId")
      .select(allOf("covers"))
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

  /** Covers of other books with the same image. */
  listOtherBooks(sha256: string, bookId: string, limit: number): Promise<CoverRow[]> {
    return this.#withLanguage()
      .where("sha256", "=", sha256)
      .where("bookId", "<>", bookId)
      .orderBy("covers.id")
      .limit(limit)
      .execute();
  }

  /** @param languageId null for the default cover */
  findIn(bookId: string, languageId: number | null): Promise<CoverRow | undefined> {
    return this.#withLanguage()
      .where("bookId", "=", bookId)
      .where("covers.languageId", languageId === null ? "is" : "=", languageId)
      .executeTakeFirst();
  }
}
