/** Whether a database is whole and its own: SQLite's checks of pages, indexes and references, and what is in its schema. */
import { z } from "zod";
import { openReader } from "./connection.ts";
import { foreignSchema, schemaObject } from "./foreign-schema.ts";
import { isDamage } from "./storage-fault.ts";

const integrity = z.array(z.object({ integrity_check: z.string() }));
/** A row of `table` that refers to a row of `parent` that isn't there, and how many such rows there are in all. */
const reference = z.object({
  ...{ table: z.string(), rowid: z.int().nullable(), parent: z.string() },
  total: z.int(),
});

export const databaseState = z.object({
  /** What is damaged, in SQLite's words. Then the rest was not looked at: what is read may be anything. */
  damage: z.array(z.string()),
  brokenReferences: z.array(reference),
  foreign: z.object({ programs: z.array(schemaObject), data: z.array(schemaObject) }),
});
export type DatabaseState = z.output<typeof databaseState>;

/** At most `limit` of each kind. Reads all of the file and holds the thread meanwhile. */
export async function examineDatabase(file: string, limit: number): Promise<DatabaseState> {
  try {
    const connection = openReader(file);
    try {
      const lines = integrity.parse(connection.pragma(`integrity_check(${limit})`));
      const damage = lines.map(({ integrity_check: line }) => line).filter((line) => line !== "ok");
      if (damage.length > 0) return damaged(damage);
      const columns = '"table", rowid as rowid, parent, count(*) over () as total';
      const statement = connection.prepare(`select ${columns} from pragma_foreign_key_check limit ${limit}`);
      const brokenReferences = z.array(reference).parse(statement.all());
      return { damage, brokenReferences, foreign: foreignSchema(connection, limit) };
    } finally {
      connection.close();
    }
  } catch (error) {
    // A file that is no database at all is damaged too.
    if (!isDamage(error)) throw error;
    return damaged([error.message]);
  }
}

const damaged = (damage: string[]): DatabaseState => ({
  damage,
  brokenReferences: [],
  foreign: { programs: [], data: [] },
});
