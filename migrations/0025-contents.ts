/** What the contents of files say of themselves, by hash: so that it can be compared with their places without reading them. */
import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("contents")
    .addColumn("sha256", "text", (c) => c.primaryKey())
    .addColumn("title", "text")
    .addColumn("languageCode", "text")
    .addColumn("isbn", "text")
    .addColumn("isUnreadable", "integer", (c) => c.notNull())
    .addColumn("lacksCover", "integer", (c) => c.notNull())
    .execute();
}
