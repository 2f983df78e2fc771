/** The mark of a database into which rows are being moved: a table, which no server accepts. */
import { sql } from "kysely";
import { OperatorError } from "../errors.ts";
import type { Database } from "./database.ts";
import { countRows, MOVED_TABLES } from "./moved-tables.ts";

const MARK = "unfinished_move";

const isMarked = ({ foreignData }: Database): boolean => foreignData.some(({ name }) => name === MARK);

/** @throws OperatorError for a database that has only part of its rows */
export function assertMoveFinished(database: Database): void {
  if (!isMarked(database)) return;
  throw new OperatorError(
    "A move into this database (bookdist move) is running or was interrupted. Run the same command again to finish it.",
  );
}

/**
 * Marks an empty database as the target of a move from `source`. An interrupted move from the same source continues.
 * @throws OperatorError if the database has other data
 */
export async function beginMove(database: Database, source: string): Promise<void> {
  if (isMarked(database)) {
    const { rows } = await sql<{ source: string }>`select source from ${sql.table(MARK)}`.execute(
      database.read,
    );
    const [former] = rows;
    if (former?.source === source) return;
    throw new OperatorError(
      `The target contains an interrupted move from ${former?.source}. Finish that one, or use an empty database.`,
    );
  }
  await assertNoRows(database);
  await database.commit(async () => {
    // The only row that the migrations insert.
    await sql`delete from catalogue_version`.execute(database.writer);
    await sql`create table ${sql.table(MARK)} (source text not null)`.execute(database.writer);
    await sql`insert into ${sql.table(MARK)} (source) values (${source})`.execute(database.writer);
  });
}

/** Call this inside `commit`. */
export const endMove = (database: Database) => sql`drop table ${sql.table(MARK)}`.execute(database.writer);

async function assertNoRows({ read }: Database): Promise<void> {
  for (const table of MOVED_TABLES) {
    if (table === "catalogue_version" || (await countRows(read, table)) === 0) continue;
    throw new OperatorError(`The target isn't empty: its table ${table} has rows. Use an empty database.`);
  }
}
