/** Links with which users set a password themselves: of invitations, and after a forgotten password. */
import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("users").addColumn("invitedAt", "bigint").execute();
  await db.schema
    .createTable("password_links")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("userId", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("expiresAt", "bigint", (c) => c.notNull())
    .addColumn("endedAt", "bigint")
    .execute();
  // For the limit of a user, and the deletion of one.
  await db.schema
    .createIndex("password_links_user")
    .on("password_links")
    .columns(["userId", "createdAt"])
    .execute();
  await db.schema
    .createTable("password_requests")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("requests", "bigint", (c) => c.notNull())
    .addColumn("lastAt", "bigint", (c) => c.notNull())
    .execute();
}
