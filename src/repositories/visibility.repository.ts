/** The books of a sub-language: their visibility and overrides. */
import type { SqlBool } from "kysely";
import type { Flag } from "../db/schema.ts";
import { isPublishedIn, selectFilesOfBook, selectHidingsOfBook } from "./publication-rules.ts";
import { Repository } from "./repository.ts";

export interface BookInLanguageRow {
  bookId: string;
  slug: string;
  titleEn: string;
  /** Whether the book is published at that time, by the same rule as in the public list. */
  isVisible: SqlBool;
  /** Null if the visibility is inherited. */
  override: 0 | 1 | null;
}

/** The parts of the rule by which a book is published in a language. */
interface PublicationRules {
  bookIsActive: Flag;
  languageIsActive: Flag;
  hasFile: SqlBool;
  isHidden: SqlBool;
  publishAt: number | null;
  unpublishAt: number | null;
}

export class VisibilityRepository extends Repository {
  /** The active books, in their order. */
  list(languageId: number, at: number): Promise<BookInLanguageRow[]> {
    return this.#selectBooksIn(languageId, at)
      .where("books.isActive", "=", 1)
      .orderBy("books.sortOrder")
      .orderBy("books.id")
      .execute();
  }

  /** The existing books among these, including archived ones, unordered. */
  listOf(languageId: number, bookIds: readonly string[], at: number): Promise<BookInLanguageRow[]> {
    return this.#selectBooksIn(languageId, at).where("books.id", "in", bookIds).execute();
  }

  /** Undefined if there is no such book or language. */
  rulesOf(bookId: string, languageId: number): Promise<PublicationRules | undefined> {
    return this.db
      .selectFrom(["books", "languages"])
      .select(["books.isActive as bookIsActive", "languages.isActive as languageIsActive"])
      .select(["books.publishAt", "books.unpublishAt"])
      .select((eb) => [
        eb.exists(selectFilesOfBook(eb)).as("hasFile"),
        eb.exists(selectHidingsOfBook(eb)).as("isHidden"),
      ])
      .where("books.id", "=", bookId)
      .where("languages.id", "=", languageId)
      .executeTakeFirst();
  }

  /** All overrides of a language by book. */
  async findOverrides(languageId: number): Promise<Map<string, 0 | 1>> {
    const rows = await this.db
      .selectFrom("book_visibility")
      .select(["bookId", "isVisible"])
      .where("languageId", "=", languageId)
      .execute();
    return new Map(rows.map((row) => [row.bookId, row.isVisible]));
  }

  /** Shows or hides these books, skipping deleted ones. */
  async put(
    languageId: number,
    bookIds: readonly string[],
    { isVisible, now }: { isVisible: 0 | 1; now: number },
  ): Promise<void> {
    await this.db
      .insertInto("book_visibility")
      .columns(["languageId", "bookId", "isVisible", "createdAt"])
      .expression((eb) =>
        eb
          .selectFrom("books")
          .select([
            eb.val(languageId).as("languageId"),
            "books.id",
            eb.val(isVisible).as("isVisible"),
            eb.val(now).as("createdAt"),
          ])
          .where("books.id", "in", bookIds),
      )
      .onConflict((conflict) =>
        conflict
          .columns(["languageId", "bookId"])
          .doUpdateSet((eb) => ({ isVisible: eb.ref("excluded.isVisible") })),
      )
      .execute();
  }

  /** Removes the overrides of these books. */
  async remove(languageId: number, bookIds: readonly string[]): Promise<void> {
    await this.db
      .deleteFrom("book_visibility")
      .where("languageId", "=", languageId)
      .where("bookId", "in", bookIds)
      .execute();
  }

  #selectBooksIn(languageId: number, at: number) {
    return this.db
      .selectFrom("books")
      .innerJoin("languages", (join) => join.on("languages.id", "=", languageId))
      .leftJoin("book_visibility", (join) =>
        join
          .onRef("book_visibility.bookId", "=", "books.id")
          .onRef("book_visibility.languageId", "=", "languages.id"),
      )
      .select(["books.id as bookId", "books.slug", "books.titleEn", "book_visibility.isVisible as override"])
      .select((eb) => isPublishedIn(eb, at).as("isVisible"));
  }
}
