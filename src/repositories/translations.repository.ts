/** Translations of books. */
import type { Selectable } from "kysely";
import type { Db } from "../db/kysely.ts";
import type { TranslationsTable } from "../db/schema.ts";
import { TableRepository } from "./repository.ts";

export type TranslatedRow = Selectable<TranslationsTable>;

export interface TranslationRow extends TranslatedRow {
  languageCode: string;
}

export class TranslationsRepository extends TableRepository<"translations"> {
  constructor(db: Db) {
    super(db, "translations");
  }

  #withLanguage() {
    return this.db
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

  findIn(bookId: string, languageId: number): Promise<TranslationRow | undefined> {
    return this.#withLanguage()
      .where("bookId", "=", bookId)
      .where("languageId", "=", languageId)
      .executeTakeFirst();
  }
}
