/** The version that a download link first delivered, so that a resumed download never joins two versions. */
import type { Kysely } from "kysely";

/** They would record redemptions without the version. */
export const stopsOlderVersions = true;

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("download_events").addColumn("deliveredVersion", "text").execute();
}
