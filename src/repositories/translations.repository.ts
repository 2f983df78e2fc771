/** Translations of books. */
import type { Selectable } from "kysely";
import { allOf } from "../db/columns.ts";
import type { TranslationsTable } from "../db/schema.ts";
import { repositoryOf } from "./repository.ts";

export type TranslatedRow = Selectable<TranslationsTable>;

export interface TranslationRow extends TranslatedRow {
  languageCode: string;
}

export class TranslationsRepository extends repositoryOf("translations") {
  #withLanguage() {
    return this.db
      .selectFrom("translations")
      .innerJoin("languages", "languages.id", "translations.languageId")
      .select(allOf("translations"))
      .select("languages.code as languageCode");
  }

  listOfBook(bookId: string): Promise<TranslationRow[]> {
    return this.#withLanguage().where("bookId", "=", bookId).orderBy("languages.code").execute();
  }

  /** The translations of books, in all languages or in these. */
  async listOfBooks(bookIds: readonly string[], languageIds?: readonly number[]): Promise<TranslationRow[]> {
    if (bookIds.length === 0) return [];
    const query = this.#withLanguage().where("bookId", "in", bookIds).orderBy("languages.code");
    return (languageIds ? query.where("languageId", "in", languageIds) : query).execute();
  }

  findIn(bookId: string, languageId: number): Promise<TranslationRow | undefined> {
    return this.#withLanguage()
      .where("bookId", "=", bookId)
      .where("languageId", "=", languageId)
      .executeTakeFirst();
  }
}
