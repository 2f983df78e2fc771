/** From when on, and until when, readers get a book. */
import { type Kysely, sql } from "kysely";

/** An older version would show a book before its date. */
export const stopsOlderVersions = true;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ["publishAt", "unpublishAt"] as const) {
    await db.schema.alterTable("books").addColumn(column, "bigint").execute();
    // Few books have dates: lists and the next due date are read from the index alone.
    await db.schema
      .createIndex(column === "publishAt" ? "books_begin" : "books_end")
      .on("books")
      .columns([column, "id"])
      .where(sql.ref(column), "is not", null)
      .execute();
  }
  // Up to which date others have been told of the books that became due.
  await db.schema
    .alterTable("catalogue_version")
    .addColumn("announcedUntil", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
}
