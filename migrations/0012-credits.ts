/** What the files say of books: authors, tags and series, and the contributors, publisher, licence and ISBN of an edition. */
import type { Kysely } from "kysely";

/** Lists are JSON. */
const LISTS = { books: ["authors", "tags"], translations: ["authors", "contributors"] };
const TEXTS = { books: ["series"], translations: ["publisher", "license", "isbn"] };

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["books", "translations"] as const) {
    for (const column of LISTS[table])
      await db.schema
        .alterTable(table)
        .addColumn(column, "text", (c) => c.notNull().defaultTo("[]"))
        .execute();
    for (const column of TEXTS[table]) await db.schema.alterTable(table).addColumn(column, "text").execute();
  }
}
