/** The schema that all migrations together make, by which an empty file gets it in one step. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Connection } from "./connection.ts";

const FILE = new URL("./newest-schema.json", import.meta.url);

const newestSchema = z.object({ migrations: z.array(z.string()), statements: z.array(z.string()) });
type NewestSchema = z.output<typeof newestSchema>;

/** As scripts/schema-parts.ts wrote it. */
export const readNewestSchema = (): NewestSchema =>
  newestSchema.parse(JSON.parse(readFileSync(FILE, "utf8")));

/** Without what SQLite and virtual tables make by themselves. In the order in which it was made. */
const STATEMENTS = `select schema.sql from sqlite_schema schema
  left join pragma_table_list list on list.schema = 'main' and list.name = schema.name
  where schema.sql is not null and schema.name not like 'sqlite_%' and list.type is not 'shadow' order by schema.rowid`;

/** Of a file in which all migrations have run. */
export const describeSchema = (connection: Connection): NewestSchema => ({
  migrations: z
    .array(z.string())
    .parse(connection.prepare("select name from kysely_migration order by name").pluck().all()),
  statements: z.array(z.string()).parse(connection.prepare(STATEMENTS).pluck().all()),
});

/** The rows that migrations add to an empty file. */
const FIRST_ROWS = `
  insert into "catalogue_version" ("id", "version") values (1, 1);
  insert into "installation" ("id", "epoch") values ('this', lower(hex(randomblob(16))));
  insert into "kysely_migration_lock" ("id", "is_locked") values ('migration_lock', 0);`;

/** As Kysely notes a migration that has run. */
const NOTE = `insert into "kysely_migration" ("name", "timestamp") values (?, strftime('%Y-%m-%dT%H:%M:%fZ'))`;

/** In one transaction: a crash leaves the file empty. */
export function createNewestSchema(connection: Connection, { migrations, statements }: NewestSchema): void {
  connection
    .transaction(() => {
      connection.exec(`${statements.join(";\n")};${FIRST_ROWS}`);
      const note = connection.prepare(NOTE);
      for (const name of migrations) note.run(name);
    })
    .immediate();
}
