/** Which statements on marketing were made for an address that the contact no longer has. */
import type { Kysely } from "kysely";

/** An older version would count them for the present address. */
export const stopsOlderVersions = true;

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("consents")
    .addColumn("formerAddress", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  // Again with all that the states follow from: 0034 has added to it.
  await db.schema.dropIndex("consents_contact").execute();
  await db.schema
    .createIndex("consents_contact")
    .on("consents")
    .columns([
      "contactId",
      "givenAt",
      "marketing",
      "textVersion",
      "userId",
      "confirmation",
      "repeatedAt",
      "formerAddress",
    ])
    .execute();
}
