/** The last hour in which the service ran: a clock that is far ahead of it isn't trusted when data is to be deleted. */
import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("recorded_hour")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("recordedAt", "bigint", (c) => c.notNull())
    .execute();
}
