/** The time at which a session was last used, for the user's list of sessions. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("sessions")
    .addColumn("lastSeenAt", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
  await sql`update ${sql.table("sessions")} set ${sql.ref("lastSeenAt")} = ${sql.ref("createdAt")}`.execute(
    db,
  );
}
