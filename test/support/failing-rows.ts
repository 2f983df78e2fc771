/** A fault of the database: a change of one table fails until it is mended. */
import { PostgresAdapter, sql } from "kysely";
import type { Database } from "../../src/db/database.ts";

/** @returns mends it */
export async function failOn(
  { commit, writer }: Database,
  change: "update" | "delete",
  table: "download_events" | "contacts",
): Promise<() => Promise<void>> {
  const run = (...statements: string[]) =>
    commit(async () => {
      for (const text of statements) await sql.raw(text).execute(writer);
    });
  if (writer.getExecutor().adapter instanceof PostgresAdapter) {
    await run(
      "create function fault() returns trigger language plpgsql as $$ begin raise 'a fault'; end $$",
      `create trigger fault before ${change} on ${table} for each row execute function fault()`,
    );
    return () => run(`drop trigger fault on ${table}`, "drop function fault");
  }
  await run(`create trigger fault before ${change} on ${table} begin select raise(abort, 'a fault'); end`);
  return () => run("drop trigger fault");
}
