/** Translations of books. */
import type { Updateable } from "kysely";
import type { Db } from "../db/kysely.ts";
import { type InsertRows, insertsInto } from "../db/rows.ts";
import type { TranslationsTable } from "../db/schema.ts";

export interface TranslationRow extends TranslationsTable {
  languageCode: string;
}

export class TranslationsRepository {
  readonly #db: Db;
  readonly insert: InsertRows<"translations">;

  constructor(db: Db) {
    this.#db = db;
    this.insert = insertsInto(db, "translations");
  }

  #withLanguage() {
    return this.#db
      .selectFrom("translations")
      .innerJoin("languages", "languages.id", "translations.languageId")
      .selectAll("translations")
      .select("languages.code as languageCode");
  }

  listOfBook(bookId: string): Promise<TranslationRow[]> {
    return this.#withLanguage().where("bookId", "=", bookId).orderBy("languages.code").execute();
  }

  async listOfBooks(bookIds: readonly string[]): Promise<TranslationRow[]> {
    if (bookIds.length === 0) return [];
    return this.#withLanguage().where("bookId", "in", bookIds).orderBy("languages.code").execute();
  }

  listOfLanguages(languageIds: readonly number[]): Promise<TranslationRow[]> {
    return this.#withLanguage().where("languageId", "in", languageIds).execute();
  }

  find(bookId: string, languageId: number): Promise<TranslationRow | undefined> {
    return this.#withLanguage()
      .where("bookId", "=", bookId)
      .where("languageId", "=", languageId)
      .executeTakeFirst();
  }

  async update(id: string, change: Updateable<TranslationsTable>): Promise<void> {
    await this.#db.updateTable("translations").set(change).where("id", "=", id).execute();
  }

  /** @returns whether it existed */
  async delete(bookId: string, languageId: number): Promise<boolean> {
    const result = await this.#db
      .deleteFrom("translations")
      .where("bookId", "=", bookId)
      .where("languageId", "=", languageId)
      .executeTakeFirst();
    return result.numDeletedRows > 0n;
  }
}
