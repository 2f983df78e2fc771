/** The id of the service, which is also beside its files: by it, a start recognises files of another database. */
import type { Kysely } from "kysely";

/** They would delete the files that they don't know. */
export const stopsOlderVersions = true;

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("service_id")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("serviceId", "text", (c) => c.notNull())
    .execute();
}
