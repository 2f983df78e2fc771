/** Long work with its progress and result, which is the same at every instance. */
import { type Kysely, sql } from "kysely";
import { identity } from "./support/identity.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("jobs")
    // The order of the starts: a clock that was wrong for a while doesn't change it.
    .addColumn("sequence", "integer", identity(db))
    .addColumn("id", "text", (c) => c.notNull().unique())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("isCancelRequested", "integer", (c) => c.notNull())
    .addColumn("progressDone", "bigint", (c) => c.notNull())
    .addColumn("progressOf", "bigint", (c) => c.notNull())
    .addColumn("startedAt", "bigint", (c) => c.notNull())
    .addColumn("finishedAt", "bigint")
    .addColumn("result", "text")
    .addColumn("error", "text")
    .execute();
  // One running job of a kind.
  await db.schema
    .createIndex("jobs_running")
    .unique()
    .on("jobs")
    .column("kind")
    .where(sql.ref("status"), "=", sql.lit("running"))
    .execute();
}
