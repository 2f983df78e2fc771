/** What the migrations didn't create in a SQLite file, and whether the file is sound. */
import { z } from "zod";
import { type DatabaseState, parseForeignObjects, reference } from "../soundness.ts";
import { isDamage } from "../storage-error.ts";
import { type Connection, openReader } from "./connection.ts";

/** Fast: reads only the schema. */
export const findForeignSchema = (connection: Connection, limit?: number) =>
  parseForeignObjects(
    connection.prepare('select type, name, tbl_name as "table" from sqlite_schema order by name').all(),
    limit,
  );

const integrity = z.array(z.object({ integrity_check: z.string() }));

/** At most `limit` problems of each kind. Reads the whole file and blocks the thread. */
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
      return { damage, brokenReferences, foreign: findForeignSchema(connection, limit) };
    } finally {
      connection.close();
    }
  } catch (error) {
    // A file that isn't a database counts as damaged.
    if (!isDamage(error)) throw error;
    return damaged([error.message]);
  }
}

const damaged = (damage: string[]): DatabaseState => ({
  damage,
  brokenReferences: [],
  foreign: { programs: [], data: [] },
});
