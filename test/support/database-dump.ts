/** Everything that is on record, to see whether a request changed anything. */
import { sql } from "kysely";
import type { TestApp } from "./app.ts";
import { listStoredNames } from "./stored-files.ts";

/** All rows of all tables, and the names of all stored files. */
export async function dumpOf({ container: { database }, dataDir }: TestApp) {
  const rows: Record<string, unknown[]> = {};
  for (const { name } of await database.read.introspection.getTables()) {
    const { rows: found } = await sql`select * from ${sql.table(name)}`.execute(database.read);
    // PostgreSQL moves a row when it changes.
    rows[name] = found.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  }
  return { rows, files: await listStoredNames(dataDir) };
}
