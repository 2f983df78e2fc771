/** The books whose dates have passed since others were last told of them. */
import { Repository } from "./repository.ts";

/** Two dates within this time are one event, at the second one. */
const ONE_EVENT_MS = 60_000;

export class DueBooksRepository extends Repository {
  /** Up to which date others have been told. */
  async readAnnouncedUntil(): Promise<number> {
    const { announcedUntil } = await this.db
      .selectFrom("catalogue_version")
      .select("announcedUntil")
      .executeTakeFirstOrThrow();
    return announcedUntil;
  }

  async setAnnouncedUntil(announcedUntil: number): Promise<void> {
    await this.db.updateTable("catalogue_version").set({ announcedUntil }).execute();
  }

  /**
   * The ids of the books with a date after `after`, until `until`. A change of the book at or after its date has told of it; an
   * archived book doesn't become another one.
   */
  async list(after: number, until: number): Promise<string[]> {
    const withDate = (column: "publishAt" | "unpublishAt") =>
      this.db
        .selectFrom("books")
        .select("books.id")
        .where(`books.${column}`, ">", after)
        .where(`books.${column}`, "<=", until)
        .whereRef(`books.${column}`, ">", "books.updatedAt")
        .where("books.isActive", "=", 1);
    const begun = withDate("publishAt").where((book) =>
      book.or([
        book("books.unpublishAt", "is", null),
        book("books.unpublishAt", ">", book("books.publishAt", "+", ONE_EVENT_MS)),
      ]),
    );
    const rows = await begun.union(withDate("unpublishAt")).execute();
    return rows.map(({ id }) => id);
  }
}
