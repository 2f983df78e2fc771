/** The numbers that a database gives to new rows. They are never used again, so they don't follow from the rows. */
import { sql } from "kysely";
import type { DatabaseSource } from "./database.ts";
import type { Db } from "./kysely.ts";
import { MOVED_TABLES } from "./moved-tables.ts";
import { TABLES } from "./schema.ts";
import { findKey } from "./schema-parts.ts";

interface Counted {
  table: string;
  column: string;
}

/** The columns that the database counts, of the tables of a move: keys to which it gives values. */
const listCounted = (): Counted[] =>
  MOVED_TABLES.flatMap((table) => {
    const columns: Readonly<Record<string, string>> = TABLES[table].columns;
    const [column = ""] = findKey(table);
    return columns[column] === "integer=" ? [{ table, column }] : [];
  });

interface Sequences {
  /** The last number that was given; 0 if there is none. */
  read(db: Db, counted: Counted): Promise<number>;
  set(db: Db, counted: Counted, last: number): Promise<void>;
}

const sqlite: Sequences = {
  async read(db, { table }) {
    const { rows } = await sql<{ last: number }>`
      select seq as last from sqlite_sequence where name = ${table}
    `.execute(db);
    return rows[0]?.last ?? 0;
  },
  async set(db, { table }, last) {
    await sql`delete from sqlite_sequence where name = ${table}`.execute(db);
    await sql`insert into sqlite_sequence (name, seq) values (${table}, cast(${last} as integer))`.execute(
      db,
    );
  },
};

const postgres: Sequences = {
  async read(db, { table, column }) {
    const { rows } = await sql<{ last: number | null }>`
      select pg_sequence_last_value(pg_get_serial_sequence(${table}, ${column})::regclass) as last
    `.execute(db);
    return rows[0]?.last ?? 0;
  },
  async set(db, { table, column }, last) {
    await sql`
      select setval(pg_get_serial_sequence(${table}, ${column}), greatest(${last}::bigint, 1), ${last}::bigint > 0)
    `.execute(db);
  },
};

const SEQUENCES: Readonly<Record<DatabaseSource["kind"], Sequences>> = { sqlite, postgres };

/** @returns the last numbers that were given, for `setSequences` */
export const readSequences = (kind: DatabaseSource["kind"], db: Db): Promise<number[]> =>
  Promise.all(listCounted().map((counted) => SEQUENCES[kind].read(db, counted)));

/** Call this in a transaction. */
export async function setSequences(
  kind: DatabaseSource["kind"],
  db: Db,
  values: readonly number[],
): Promise<void> {
  for (const [index, counted] of listCounted().entries())
    await SEQUENCES[kind].set(db, counted, values[index] ?? 0);
}
