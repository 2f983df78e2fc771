/** Former addresses of readers' pages: the slugs that books had, and the codes that languages had. */
import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("former_slugs")
    .addColumn("slug", "text", (c) => c.primaryKey())
    .addColumn("bookId", "text", (c) => c.notNull().references("books.id").onDelete("cascade"))
    .addColumn("leftAt", "bigint", (c) => c.notNull())
    .execute();
  // For the deletion of a book.
  await db.schema.createIndex("former_slugs_book").on("former_slugs").column("bookId").execute();
  await db.schema
    .createTable("former_codes")
    .addColumn("codeKey", "text", (c) => c.primaryKey())
    .addColumn("languageId", "integer", (c) => c.notNull().references("languages.id").onDelete("cascade"))
    .addColumn("leftAt", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("former_codes_language").on("former_codes").column("languageId").execute();
}
