/** An index of the files that readers get, by language: published books are counted from it alone. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("book_files_published")
    .on("book_files")
    .columns(["languageId", "bookId"])
    .where(sql.ref("isActive"), "=", sql.lit(1))
    .execute();
}
