/** An index of events by archive: without it, deleting an archive would scan all events for its foreign key. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("download_events_archive")
    .on("download_events")
    .column("archiveId")
    .where(sql.ref("archiveId"), "is not", null)
    .execute();
}
