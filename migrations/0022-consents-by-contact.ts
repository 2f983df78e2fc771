/** The index of consents by contact contains all that their states follow from: the table isn't read for each of them. */
import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex("consents_contact").execute();
  await db.schema
    .createIndex("consents_contact")
    .on("consents")
    .columns(["contactId", "givenAt", "marketing", "textVersion", "userId"])
    .execute();
}
