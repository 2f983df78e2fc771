/** Lists of published books. Their statements grow with the catalogue: they are bound to connections beside the event loop. */
import { allOf } from "../db/columns.ts";
import type { BookRow } from "./books.repository.ts";
import { isPublished, isPublishedByFile, type PublicationFilter } from "./publication-rules.ts";
import { type Page, Repository, selectPage, splitTotal } from "./repository.ts";

export class PublishedLists extends Repository {
  /** A page and the total number of matches in one statement, so that the catalogue is scanned once. */
  async page(filter: PublicationFilter, page: Page): Promise<{ rows: BookRow[]; total: number }> {
    const published = this.#selectPublished(filter);
    const found = await selectPage(this.db, published, page).select(allOf("books")).execute();
    return splitTotal(found, page, published);
  }

  /** The ids of all books, in their order. */
  async ids(filter: PublicationFilter): Promise<string[]> {
    const rows = await this.#selectPublished(filter)
      .select("id")
      .orderBy("sortOrder")
      .orderBy("id")
      .execute();
    return rows.map(({ id }) => id);
  }

  /**
   * Number of published books by active language. Each language has a subquery of its own: a join of files and languages
   * by two columns would compare all pairs on PostgreSQL.
   */
  async countBooksByLanguage(): Promise<Map<number, number>> {
    const rows = await this.db
      .selectFrom("languages")
      .select("languages.id as languageId")
      .select((eb) =>
        eb
          .selectFrom("book_files")
          .select((files) => files.fn.count<number>("book_files.bookId").distinct().as("books"))
          .where((files) => isPublishedByFile(files))
          .as("booksCount"),
      )
      .where("languages.isActive", "=", 1)
      .execute();
    return new Map(rows.map((row) => [row.languageId, row.booksCount ?? 0]));
  }

  #selectPublished(filter: PublicationFilter) {
    return this.db.selectFrom("books").where((eb) => isPublished(eb, filter));
  }
}
