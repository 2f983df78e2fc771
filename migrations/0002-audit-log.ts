/** The audit log: one row for each change by an administrator, an API key or the command line. */
import type { Kysely } from "kysely";
import { identity } from "./support/identity.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  // No foreign keys to actors and objects: a row outlives them.
  await db.schema
    .createTable("audit_log")
    .addColumn("id", "integer", identity(db))
    .addColumn("at", "bigint", (c) => c.notNull())
    .addColumn("actorKind", "text", (c) => c.notNull())
    .addColumn("actorId", "text")
    .addColumn("actorName", "text", (c) => c.notNull())
    .addColumn("ipAddress", "text")
    .addColumn("requestId", "text")
    .addColumn("action", "text", (c) => c.notNull())
    .addColumn("objectKind", "text", (c) => c.notNull())
    .addColumn("objectId", "text", (c) => c.notNull())
    .addColumn("objectName", "text", (c) => c.notNull())
    .addColumn("changes", "text", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("audit_log_time").on("audit_log").columns(["at", "id"]).execute();
  // An index for each filter finds its newest rows first, however rare they are.
  for (const column of ["actorKind", "actorId", "action", "objectKind", "objectId", "requestId"]) {
    await db.schema
      .createIndex(`audit_log_${column}`)
      .on("audit_log")
      .columns([column, "at", "id"])
      .execute();
  }
}
