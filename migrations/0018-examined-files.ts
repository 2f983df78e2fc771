/** Files that were examined, and whose bytes are kept for a while. */
import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("examined_files")
    .addColumn("sha256", "text", (c) => c.primaryKey())
    .addColumn("sizeBytes", "bigint", (c) => c.notNull())
    .addColumn("examination", "text", (c) => c.notNull())
    .addColumn("examinedAt", "bigint", (c) => c.notNull())
    .execute();
}
