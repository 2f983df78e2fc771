/** Bytes that were released and may be removed later, those that were replaced and can come back, and the last sweep. */
import type { Kysely } from "kysely";

/** They would delete replaced bytes, and those whose removal is recorded. */
export const stopsOlderVersions = true;

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("released_bytes")
    .addColumn("sha256", "text", (c) => c.primaryKey())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("dueAt", "bigint", (c) => c.notNull())
    .addColumn("removal", "text")
    .execute();
  await db.schema.createIndex("released_bytes_due").on("released_bytes").column("dueAt").execute();
  await createReplacedBytes(db);
  await db.schema
    .createTable("last_sweep")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("mark", "text", (c) => c.notNull())
    .addColumn("sweptAt", "bigint", (c) => c.notNull())
    .execute();
}

async function createReplacedBytes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("replaced_bytes")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("fileId", "text", (c) => c.references("book_files.id").onDelete("cascade"))
    .addColumn("coverId", "text", (c) => c.references("covers.id").onDelete("cascade"))
    .addColumn("sha256", "text", (c) => c.notNull())
    .addColumn("fileName", "text", (c) => c.notNull())
    .addColumn("fileSizeBytes", "bigint", (c) => c.notNull())
    .addColumn("contentType", "text")
    .addColumn("width", "integer")
    .addColumn("height", "integer")
    .addColumn("replacedAt", "bigint", (c) => c.notNull())
    .addColumn("replacedBy", "text", (c) => c.notNull())
    .addColumn("keptUntil", "bigint", (c) => c.notNull())
    .execute();
  const index = (name: string) => db.schema.createIndex(`replaced_bytes_${name}`).on("replaced_bytes");
  await index("file").unique().columns(["fileId", "sha256"]).execute();
  await index("cover").unique().columns(["coverId", "sha256"]).execute();
  await index("sha256").column("sha256").execute();
  await index("until").column("keptUntil").execute();
}
