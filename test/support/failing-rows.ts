/** A fault of the database: a change of one table fails until it is mended. */
import { PostgresAdapter, sql } from "kysely";
import type { Database } from "../../src/db/database.ts";

/** @param id of the only row whose change fails; undefined: of all @returns mends it */
export async function failOn(
  { commit, writer }: Database,
  change: "insert" | "update" | "delete",
  table: "download_events" | "contacts" | "audit_log" | "catalogue_version",
  id?: number,
): Promise<() => Promise<void>> {
  const run = (...statements: string[]) =>
    commit(async () => {
      for (const text of statements) await sql.raw(text).execute(writer);
    });
  const when = id === undefined ? "" : `when (old.id = ${id})`;
  if (writer.getExecutor().adapter instanceof PostgresAdapter) {
    await run(
      "create function fault() returns trigger language plpgsql as $$ begin raise 'a fault'; end $$",
      `create trigger fault before ${change} on ${table} for each row ${when} execute function fault()`,
    );
    return () => run(`drop trigger fault on ${table}`, "drop function fault");
  }
  await run(
    `create trigger fault before ${change} on ${table} ${when} begin select raise(abort, 'a fault'); end`,
  );
  return () => run("drop trigger fault");
}
