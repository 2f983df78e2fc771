/** The index of publications by book contains all that readers of it need: the table isn't read for each of them. */
import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex("publications_book").execute();
  await db.schema
    .createIndex("publications_book")
    .on("publications")
    .columns(["bookId", "languageId", "channelId"])
    .execute();
}
