/** The library for readers: its settings, its texts in each language, every version of its consent texts, and its logo. */
import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("library")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("accentColor", "text", (c) => c.notNull())
    // What the form asks for: off, optional or required.
    .addColumn("lastName", "text", (c) => c.notNull())
    .addColumn("phone", "text", (c) => c.notNull())
    .addColumn("country", "text", (c) => c.notNull())
    .addColumn("offersAll", "integer", (c) => c.notNull())
    .addColumn("channelId", "text", (c) => c.references("channels.id"))
    .addColumn("updatedAt", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("library_texts")
    .addColumn("languageId", "integer", (c) => c.primaryKey().references("languages.id").onDelete("cascade"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("introduction", "text", (c) => c.notNull())
    .addColumn("footer", "text", (c) => c.notNull())
    .addColumn("about", "text", (c) => c.notNull())
    .addColumn("privacy", "text", (c) => c.notNull())
    .addColumn("consent", "text", (c) => c.notNull())
    .addColumn("consentVersion", "text", (c) => c.notNull())
    .addColumn("updatedAt", "bigint", (c) => c.notNull())
    .execute();
  // Without a reference to the language: what readers have agreed to outlives it.
  await db.schema
    .createTable("library_consents")
    .addColumn("languageId", "integer", (c) => c.notNull())
    .addColumn("version", "text", (c) => c.notNull())
    .addColumn("languageCode", "text", (c) => c.notNull())
    .addColumn("text", "text", (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("library_consents_key", ["languageId", "version"])
    .execute();
  await db.schema
    .createTable("library_logo")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("sha256", "text", (c) => c.notNull())
    .addColumn("width", "integer", (c) => c.notNull())
    .addColumn("height", "integer", (c) => c.notNull())
    .addColumn("fileSizeBytes", "integer", (c) => c.notNull())
    .addColumn("png", "text", (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("updatedAt", "bigint", (c) => c.notNull())
    .execute();
}
