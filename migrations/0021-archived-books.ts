/** An index of archived books, mostly few: lists exclude them by it in place of reading the rows of all books. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("books_archived")
    .on("books")
    .column("id")
    .where(sql.ref("isActive"), "=", sql.lit(0))
    .execute();
}
