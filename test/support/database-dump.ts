/** Everything that is on record, to see whether a request changed anything. */
import { readdirSync } from "node:fs";
import { sql } from "kysely";
import type { TestApp } from "./app.ts";

/** All rows of all tables, and the names of all stored files. */
export async function dumpOf({ container: { database }, dataDir }: TestApp) {
  const tables = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name
  `.execute(database.read);
  const rows: Record<string, unknown[]> = {};
  for (const { name } of tables.rows) {
    rows[name] = (await sql`select * from ${sql.table(name)}`.execute(database.read)).rows;
  }
  return { rows, files: readdirSync(`${dataDir}/files`, { recursive: true }).sort() };
}
