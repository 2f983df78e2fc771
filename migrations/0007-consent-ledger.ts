/** Consents as a ledger: the download or the administrator from which each statement came, and its address. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await indexDownloadsOfContacts(db);
  await db.schema
    .alterTable("consents")
    .addColumn("eventId", "integer", (c) => c.references("download_events.id").onDelete("set null"))
    .execute();
  await db.schema.alterTable("consents").addColumn("ipAddress", "text").execute();
  // No foreign key: an administrator's decision outlives the account.
  await db.schema.alterTable("consents").addColumn("userId", "text").execute();
  await db.schema.alterTable("consents").addColumn("userName", "text").execute();
  await db.schema.alterTable("consents").addColumn("repeatedAt", "bigint").execute();
  await findEvents(db);
  // Without it, deleting a download event would scan all consents for its foreign key.
  await db.schema
    .createIndex("consents_event")
    .on("consents")
    .column("eventId")
    .where(sql.ref("eventId"), "is not", null)
    .execute();
}

/** Finds the first and the last download of a contact in one step each, whatever their number. */
async function indexDownloadsOfContacts(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex("download_events_contact").execute();
  await db.schema
    .createIndex("download_events_contact")
    .on("download_events")
    .columns(["contactId", "downloadedAt"])
    .execute();
}

/**
 * A consent was written together with its event, at the same time. A redeemed event has the address of the download.
 */
async function findEvents(db: Kysely<unknown>): Promise<void> {
  await sql`update "consents" set "eventId" = (
    select min("download_events"."id") from "download_events"
    where "download_events"."contactId" = "consents"."contactId"
      and "download_events"."downloadedAt" = "consents"."givenAt"
  )`.execute(db);
  await sql`update "consents" set "ipAddress" = (
    select "download_events"."ipAddress" from "download_events"
    where "download_events"."id" = "consents"."eventId" and "download_events"."redeemedAt" is null
  ) where "eventId" is not null`.execute(db);
}
