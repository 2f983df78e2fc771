/** Letters in the outbox, whether an address is confirmed, and how often one is written to. */
import { type Kysely, sql } from "kysely";

/** The times of the last letters to an address, the newest first: as many as there may be in a week. */
const TIMES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

export async function up(db: Kysely<unknown>): Promise<void> {
  await addToOutbox(db);
  await addToContacts(db);
  // Whether nothing is delivered until the address is confirmed.
  await db.schema
    .alterTable("download_events")
    .addColumn("isUnconfirmed", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable("consents").addColumn("confirmation", "text").execute();
  await db.schema.alterTable("languages").addColumn("emailConfirmation", "text").execute();
  let recipients = db.schema
    .createTable("mail_recipients")
    // A keyed hash of the address.
    .addColumn("recipient", "text", (c) => c.primaryKey())
    .addColumn("contactId", "integer", (c) => c.references("contacts.id").onDelete("cascade"))
    .addColumn("userId", "text", (c) => c.references("users.id").onDelete("cascade"));
  for (const time of TIMES) recipients = recipients.addColumn(`at${time}`, "bigint", (c) => c.notNull());
  await recipients.execute();
  await db.schema.createIndex("mail_recipients_age").on("mail_recipients").column("at1").execute();
  for (const column of ["contactId", "userId"] as const) {
    await db.schema
      .createIndex(`mail_recipients_${column === "userId" ? "user" : "contact"}`)
      .on("mail_recipients")
      .column(column)
      .where(sql.ref(column), "is not", null)
      .execute();
  }
}

async function addToOutbox(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("outbox")
    .addColumn("userId", "text", (c) => c.references("users.id").onDelete("cascade"))
    .execute();
  // A keyed hash of the address from which the letter was asked for, for an hour.
  await db.schema.alterTable("outbox").addColumn("sender", "text").execute();
  await db.schema
    .createIndex("outbox_user")
    .on("outbox")
    .column("userId")
    .where(sql.ref("userId"), "is not", null)
    .execute();
  await db.schema
    .createIndex("outbox_sender")
    .on("outbox")
    .columns(["sender", "endedAt"])
    .where(sql.ref("sender"), "is not", null)
    .execute();
  await db.schema
    .createIndex("outbox_letters")
    .on("outbox")
    .column("sequence")
    .where(sql<boolean>`${sql.ref("state")} = ${sql.lit("waiting")} and ${sql.ref("webhookId")} is null`)
    .execute();
}

async function addToContacts(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("contacts").addColumn("verifiedAt", "bigint").execute();
  await db.schema
    .alterTable("contacts")
    .addColumn("mailState", "text", (c) => c.notNull().defaultTo("ok"))
    .execute();
  await db.schema
    .alterTable("contacts")
    .addColumn("mailFailures", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable("contacts").addColumn("mailKey", "text").execute();
  await db.schema
    .createIndex("contacts_mail_key")
    .unique()
    .on("contacts")
    .column("mailKey")
    .where(sql.ref("mailKey"), "is not", null)
    .execute();
}
