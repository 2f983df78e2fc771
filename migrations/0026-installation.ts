/** The database itself: its epoch, which becomes another one whenever its rows aren't those that came before. */
import { type Kysely, sql } from "kysely";
import { isPostgres } from "./support/dialect.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("installation")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("epoch", "text", (c) => c.notNull())
    // Of the PostgreSQL server on which the epoch was written.
    .addColumn("systemIdentifier", "text")
    .addColumn("timeline", "text")
    .execute();
  const epoch = isPostgres(db) ? sql`gen_random_uuid()::text` : sql`lower(hex(randomblob(16)))`;
  await sql`insert into installation (id, epoch) values ('this', ${epoch})`.execute(db);
}
