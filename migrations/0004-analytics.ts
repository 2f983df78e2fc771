/** Tables and indexes for reports and exports: changes of events, and readers' consents. */
import { type Kysely, sql } from "kysely";
import { identity } from "./support/identity.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  // The events that have changed or were deleted since they were inserted; new events are found by id.
  await db.schema
    .createTable("event_changes")
    .addColumn("revision", "integer", identity(db))
    .addColumn("eventId", "integer", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("consents")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("contactId", "integer", (c) => c.notNull().references("contacts.id").onDelete("cascade"))
    .addColumn("marketing", "integer", (c) => c.notNull())
    .addColumn("textVersion", "text", (c) => c.notNull())
    .addColumn("languageCode", "text", (c) => c.notNull())
    .addColumn("givenAt", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("consents_contact").on("consents").columns(["contactId", "givenAt"]).execute();
  await db.schema
    .createIndex("contacts_last_download")
    .on("contacts")
    .columns(["lastDownloadAt", "id"])
    .execute();
  await indexWhoDownloaded(db);
}

/** Indexes for the filters of the event log and the contact list. Each is ordered by time and contains the contact. */
async function indexWhoDownloaded(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex("download_events_language").execute();
  await db.schema
    .createIndex("download_events_language")
    .on("download_events")
    .columns(["languageId", "downloadedAt", "contactId", "countryCode"])
    .execute();
  await db.schema
    .createIndex("download_events_country")
    .on("download_events")
    .columns(["countryCode", "downloadedAt", "contactId"])
    .execute();
  // Costs nothing without a City database. In an index by contact, each new event would write to another page.
  await db.schema
    .createIndex("download_events_city")
    .on("download_events")
    .expression(sql`lower("city")`)
    .columns(["downloadedAt", "contactId"])
    .where(sql.ref("city"), "is not", null)
    .execute();
  await db.schema
    .createIndex("contacts_country")
    .on("contacts")
    .expression(sql`lower("country")`)
    .where(sql.ref("country"), "<>", sql.lit(""))
    .execute();
}
