/** Versions of the catalogue by language: how often readers of a language could see a change. */
import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("language_versions")
    .addColumn("languageId", "integer", (c) => c.primaryKey().references("languages.id").onDelete("cascade"))
    .addColumn("version", "bigint", (c) => c.notNull())
    .execute();
  // The changes that are counted by language. Older versions of the service count none of theirs.
  await db.schema
    .alterTable("catalogue_version")
    .addColumn("byLanguage", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
}
