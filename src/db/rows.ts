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
  const queryOf = compiledInserts(db, table, (insert) => insert);
  return async (...rows) => {
    await db.executeQuery(queryOf(rows));
  };
}

/** Inserts a row into a table that numbers its rows. @returns the new id */
export type AddRow<T extends keyof Schema> = (row: Insertable<Schema[T]>) => Promise<number>;

export function addsTo<T extends keyof Schema>(db: Db, table: T): AddRow<T> {
  const queryOf = compiledInserts(db, table, (insert) => sql<{ id: number }>`${insert} returning id`);
  return async (row) => {
    const [added] = (await db.executeQuery<{ id: number }>(queryOf([row]))).rows;
    if (!added) throw new Error(`${table} has not returned an id`);
    return added.id;
  };
}

function compiledInserts<R>(db: Db, table: string, complete: (insert: RawBuilder<R>) => RawBuilder<R>) {
  const compiled = new Map<string, CompiledQuery<R>>();
  return (rows: readonly object[]): CompiledQuery<R> => {
    const columns = Object.keys(rows[0] ?? {});
    const values = rows.map((row) => columns.map((column): unknown => Reflect.get(row, column)));
    const shape = `${columns} ${rows.length}`;
    const query = compiled.get(shape) ?? complete(insertOf(table, columns, values)).compile(db);
    compiled.set(shape, query);
    return { ...query, parameters: values.flat() };
  };
}

function insertOf<R>(table: string, columns: readonly string[], values: readonly unknown[][]): RawBuilder<R> {
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const rows = sql.join(values.map((row) => sql`(${sql.join(row)})`));
  return sql<R>`insert into ${sql.table(table)} (${names}) values ${rows}`;
}

/** SQLite: a unary plus before a column, whatever its type, keeps the planner from using the column's index. */
export const withoutIndex = <T = string>(column: string): RawBuilder<T> => sql<T>`+${sql.ref(column)}`;
