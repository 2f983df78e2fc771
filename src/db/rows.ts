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
    const kind = `${columns} ${rows.length}`;
    const query = composed.get(kind) ?? compose({ table, columns, rows: rows.length }).compile(db);
    composed.set(kind, query);
    const parameters = rows.flatMap((row) => columns.map((column): unknown => Reflect.get(row, column)));
    await db.executeQuery({ ...query, parameters });
  };
}

/** What an insert does besides inserting the given values. */
interface InsertForm<R> {
  /** How the value of a column follows from the given one, which is a single parameter in it. */
  derived?: Readonly<Record<string, (given: unknown) => RawBuilder<unknown>>>;
  /** The rest of the statement, without parameters, such as `returning`. */
  end: RawBuilder<R>;
}

/** Inserts one row in a statement that returns one row. */
export function insertsOneInto<R>(
  db: Db,
  table: keyof Schema,
  form: InsertForm<R>,
): (row: object) => Promise<R> {
  const composed = new Map<string, CompiledQuery<R>>();
  return async function insert(row) {
    const columns = Object.keys(row);
    const query =
      composed.get(`${columns}`) ??
      sql<R>`${compose({ table, columns, rows: 1, ...form })} ${form.end}`.compile(db);
    composed.set(`${columns}`, query);
    const { rows } = await db.executeQuery<R>({ ...query, parameters: Object.values(row) });
    const [returned] = rows;
    if (returned === undefined) throw new Error(`An insert into ${table} returned no row`);
    return returned;
  };
}

interface InsertedRows {
  table: string;
  columns: readonly string[];
  /** Their number. */
  rows: number;
  derived?: InsertForm<unknown>["derived"];
}

/** The values are null until the statement runs. */
function compose({ table, columns, rows, derived = {} }: InsertedRows): RawBuilder<unknown> {
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const values = sql.join(columns.map((column) => derived[column]?.(null) ?? sql`${null}`));
  const tuples = sql.join(Array.from({ length: rows }, () => sql`(${values})`));
  return sql`insert into ${sql.table(table)} (${names}) values ${tuples}`;
}

/** SQLite: a unary plus before a column, whatever its type, keeps the planner from using the column's index. */
export const withoutIndex = <T = string>(column: string): RawBuilder<T> => sql<T>`+${sql.ref(column)}`;
