/**
 * One record of the installation: what tables of one value and the mark of an unfinished move had is in the row that has the
 * epoch.
 */
import { type Kysely, sql } from "kysely";
import { isPostgres } from "./support/dialect.ts";

/** They read and write the tables that go. */
export const stopsOlderVersions = true;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ["serviceId", "secretFingerprint", "movingFrom"] as const)
    await db.schema.alterTable("installation").addColumn(column, "text").execute();
  await db.schema.alterTable("installation").addColumn("lastHour", "bigint").execute();
  await sql`
    update installation set
      "serviceId" = (select "serviceId" from service_id where id = 'current'),
      "secretFingerprint" = (select fingerprint from secret_fingerprint where id = 'current'),
      "lastHour" = (select "recordedAt" from recorded_hour where id = 'last')`.execute(db);
  for (const table of ["service_id", "secret_fingerprint", "recorded_hour"])
    await db.schema.dropTable(table).execute();
  await takeUnfinishedMove(db);
}

/** The mark was a table, which no migration has made. */
async function takeUnfinishedMove(db: Kysely<unknown>): Promise<void> {
  const marks = isPostgres(db)
    ? sql`select 1 where to_regclass('unfinished_move') is not null`
    : sql`select 1 from sqlite_schema where type = 'table' and name = 'unfinished_move'`;
  const { rows } = await marks.execute(db);
  if (rows.length === 0) return;
  await sql`update installation set "movingFrom" = (select max(source) from unfinished_move)`.execute(db);
  await db.schema.dropTable("unfinished_move").execute();
}
