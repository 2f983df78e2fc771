/** Translations of books. */
import type { Insertable, Selectable, Updateable } from "kysely";
import { allOf, type Schema } from "../db/schema.ts";
import { waitForAll } from "../lib/event-loop.ts";
import { BookTexts } from "./book-texts.ts";
import { repositoryOf } from "./repository.ts";

export type TranslatedRow = Selectable<Schema["translations"]>;

export interface TranslationRow extends TranslatedRow {
  languageCode: string;
}

export class TranslationsRepository extends repositoryOf("translations") {
  readonly #texts = new BookTexts(this.db);

  override async insert(...rows: readonly Insertable<Schema["translations"]>[]): Promise<void> {
    const bookIds = [...new Set(rows.map(({ bookId }) => bookId))];
    await waitForAll([super.insert(...rows), this.#texts.renew(bookIds)]);
  }

  override async update(id: string, change: Updateable<Schema["translations"]>): Promise<TranslatedRow> {
    const row = await super.update(id, change);
    if (change.searchText !== undefined) await this.#texts.renew([row.bookId]);
    return row;
  }

  override async delete(id: string): Promise<void> {
    const deleted = await this.db
      .deleteFrom("translations")
      .where("id", "=", id)
      .returning("bookId")
      .executeTakeFirst();
    if (deleted) await this.#texts.renew([deleted.bookId]);
  }

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
