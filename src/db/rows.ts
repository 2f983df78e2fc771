/** Inserts with a compiled statement per row shape, because compiling costs more than running it. */
import { type CompiledQuery, type Insertable, type RawBuilder, sql } from "kysely";
import type { Db } from "./kysely.ts";
import type { Schema } from "./schema.ts";

/**
 * Inserts rows in one statement; the first row determines the columns. Each number of rows is a separate statement, so
 * use only a few numbers.
 */
export type InsertRows<T extends keyof Schema> = (...rows: readonly Insertable<Schema[T]>[]) => Promise<void>;

export function insertsInto<T extends keyof Schema>(db: Db, table: T): InsertRows<T> {
  const composed = new Map<string, CompiledQuery>();
  return async function insert(...rows) {
    const columns = Object.keys(rows[0] ?? {});
    const values = rows.map((row) => columns.map((column): unknown => Reflect.get(row, column)));
    const kind = `${columns} ${rows.length}`;
    const query = composed.get(kind) ?? compose(db, table, columns, values);
    composed.set(kind, query);
    await db.executeQuery({ ...query, parameters: values.flat() });
  };
}

function compose(db: Db, table: string, columns: readonly string[], values: readonly unknown[][]) {
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const rows = sql.join(values.map((row) => sql`(${sql.join(row)})`));
  return sql`insert into ${sql.table(table)} (${names}) values ${rows}`.compile(db);
}

/** SQLite: a unary plus before a column, whatever its type, keeps the planner from using the column's index. */
export const withoutIndex = <T = string>(column: string): RawBuilder<T> => sql<T>`+${sql.ref(column)}`;
