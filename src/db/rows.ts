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
  const queryOf = compiledInserts(db, { table });
  return async (...rows) => {
    await db.executeQuery(queryOf(rows));
  };
}

interface InsertForm<R> {
  table: keyof Schema;
  /** How the value of a column follows from the given one, which is the only parameter in it. */
  derived?: Readonly<Record<string, (given: unknown) => RawBuilder<unknown>>>;
  /** The rest of the statement, without parameters. */
  end?: RawBuilder<R>;
}

/** Inserts a row by a statement that returns one row. */
export function addsTo<R>(db: Db, form: InsertForm<R> & { end: RawBuilder<R> }): (row: object) => Promise<R> {
  const queryOf = compiledInserts(db, form);
  return async (row) => {
    const [added] = (await db.executeQuery<R>(queryOf([row]))).rows;
    if (added === undefined) throw new Error(`${form.table} has not returned a row`);
    return added;
  };
}

function compiledInserts<R>(db: Db, form: InsertForm<R>) {
  const compiled = new Map<string, CompiledQuery<R>>();
  return (rows: readonly object[]): CompiledQuery<R> => {
    const columns = Object.keys(rows[0] ?? {});
    const values = rows.map((row) => columns.map((column): unknown => Reflect.get(row, column)));
    const shape = `${columns} ${rows.length}`;
    const query = compiled.get(shape) ?? insertOf(form, columns, values).compile(db);
    compiled.set(shape, query);
    return { ...query, parameters: values.flat() };
  };
}

function insertOf<R>(
  { table, derived = {}, end = sql`` }: InsertForm<R>,
  columns: readonly string[],
  values: readonly unknown[][],
): RawBuilder<R> {
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const cell = (value: unknown, index: number) => derived[columns[index] ?? ""]?.(value) ?? sql`${value}`;
  const rows = sql.join(values.map((row) => sql`(${sql.join(row.map(cell))})`));
  return sql<R>`insert into ${sql.table(table)} (${names}) values ${rows} ${end}`;
}

/**
 * Keeps SQLite's planner from using the column's index. A unary plus would do the same, which PostgreSQL only has for
 * numbers.
 */
export const withoutIndex = <T = string>(column: string): RawBuilder<T> =>
  sql<T>`coalesce(${sql.ref(column)}, null)`;
