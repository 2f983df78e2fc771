/** Webhooks, and the outbox: what is written with a change and delivered later. */
import { type Kysely, sql } from "kysely";
import { identity } from "./support/identity.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  await createWebhooks(db);
  await db.schema
    .createTable("outbox")
    .addColumn("sequence", "integer", identity(db))
    // The same for all attempts, and for all receivers of an event.
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("webhookId", "text", (c) => c.references("webhooks.id").onDelete("cascade"))
    .addColumn("event", "text", (c) => c.notNull())
    .addColumn("eventId", "integer", (c) => c.references("download_events.id").onDelete("cascade"))
    .addColumn("contactId", "integer", (c) => c.references("contacts.id").onDelete("set null"))
    .addColumn("bookId", "text")
    .addColumn("details", "text", (c) => c.notNull())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("revision", "integer", (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("dueAt", "bigint", (c) => c.notNull())
    .addColumn("dueWithin", "bigint", (c) => c.notNull())
    .addColumn("attempts", "integer", (c) => c.notNull())
    .addColumn("lastAttemptAt", "bigint")
    .addColumn("endedAt", "bigint")
    .addColumn("httpStatus", "integer")
    .addColumn("error", "text")
    .addColumn("durationMs", "bigint")
    .execute();
  await createOutboxIndexes(db);
  await db.schema
    .createTable("outbox_dropped")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("events", "bigint", (c) => c.notNull())
    .addColumn("lastAt", "bigint", (c) => c.notNull())
    .execute();
}

async function createWebhooks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("webhooks")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("url", "text", (c) => c.notNull())
    .addColumn("includeContact", "integer", (c) => c.notNull())
    .addColumn("isActive", "integer", (c) => c.notNull())
    .addColumn("disabledReason", "text")
    .addColumn("secret", "text", (c) => c.notNull())
    .addColumn("formerSecret", "text")
    .addColumn("formerUntil", "bigint")
    .addColumn("failingSince", "bigint")
    .addColumn("lastAttemptAt", "bigint")
    .addColumn("lastStatus", "integer")
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("updatedAt", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("webhook_events")
    .addColumn("event", "text", (c) => c.notNull())
    .addColumn("webhookId", "text", (c) => c.notNull().references("webhooks.id").onDelete("cascade"))
    .addPrimaryKeyConstraint("webhook_events_key", ["event", "webhookId"])
    .execute();
  // For the deletion of a webhook, and its list of events.
  await db.schema.createIndex("webhook_events_webhook").on("webhook_events").column("webhookId").execute();
}

async function createOutboxIndexes(db: Kysely<unknown>): Promise<void> {
  const isWaiting = sql`${sql.ref("state")} = ${sql.lit("waiting")}`;
  await db.schema
    .createIndex("outbox_due")
    .on("outbox")
    .columns(["webhookId", "dueAt"])
    .where(sql<boolean>`${isWaiting}`)
    .execute();
  // One waiting row a book and webhook: it is sent with the state of the book at that time.
  await db.schema
    .createIndex("outbox_book")
    .unique()
    .on("outbox")
    .columns(["webhookId", "bookId"])
    .where(sql<boolean>`${isWaiting} and ${sql.ref("event")} = ${sql.lit("book.changed")}`)
    .execute();
  await db.schema.createIndex("outbox_webhook").on("outbox").columns(["webhookId", "sequence"]).execute();
  await db.schema.createIndex("outbox_id").unique().on("outbox").columns(["id", "webhookId"]).execute();
  for (const column of ["eventId", "contactId"] as const) {
    await db.schema
      .createIndex(`outbox_${column === "eventId" ? "event" : "contact"}`)
      .on("outbox")
      .column(column)
      .where(sql.ref(column), "is not", null)
      .execute();
  }
  await db.schema
    .createIndex("outbox_ended")
    .on("outbox")
    .column("endedAt")
    .where(sql.ref("endedAt"), "is not", null)
    .execute();
}
