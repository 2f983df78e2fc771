/** Imports that the service runs, and the bytes that are kept for them; one running job of a kind for each subject. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("imports")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("ownerId", "text", (c) => c.notNull())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("isArchived", "integer", (c) => c.notNull())
    .addColumn("request", "text", (c) => c.notNull())
    .addColumn("filesCount", "integer", (c) => c.notNull())
    .addColumn("jobId", "text")
    .addColumn("requestIds", "text", (c) => c.notNull())
    .addColumn("progressFiles", "integer", (c) => c.notNull())
    .addColumn("progressBooks", "integer", (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("lastByteAt", "bigint", (c) => c.notNull())
    .addColumn("startedAt", "bigint")
    .addColumn("finishedAt", "bigint")
    .addColumn("result", "text")
    .addColumn("error", "text")
    .addColumn("undo", "text")
    .execute();
  await db.schema.createIndex("imports_owner").on("imports").columns(["ownerId", "createdAt"]).execute();
  await db.schema
    .createTable("import_bytes")
    .addColumn("importId", "text", (c) => c.notNull().references("imports.id").onDelete("cascade"))
    .addColumn("sha256", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("import_bytes_key", ["importId", "sha256"])
    .execute();
  await db.schema.createIndex("import_bytes_sha256").on("import_bytes").column("sha256").execute();
  await allowJobsOfSubjects(db);
}

async function allowJobsOfSubjects(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("jobs")
    .addColumn("subject", "text", (c) => c.notNull().defaultTo(""))
    .execute();
  await db.schema.dropIndex("jobs_running").execute();
  await db.schema
    .createIndex("jobs_running")
    .unique()
    .on("jobs")
    .columns(["kind", "subject"])
    .where(sql.ref("status"), "=", sql.lit("running"))
    .execute();
}
