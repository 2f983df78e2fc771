/** Inserts with a compiled statement per row shape, because compiling costs more than running it, and statements that several works share. */
import { type CompiledQuery, type Insertable, type RawBuilder, sql } from "kysely";
import { splitIntoBatches } from "../lib/collections.ts";
import { createWriteYielder, currentSavepoint } from "./group-commit.ts";
import type { Db } from "./kysely.ts";
import type { Schema } from "./schema.ts";

/**
 * Inserts rows in one statement; the first row determines the columns. Each number of rows is a separate statement, so
 * use only a few numbers.
 */
export type InsertRows<T extends keyof Schema> = (...rows: readonly Insertable<Schema[T]>[]) => Promise<void>;

export function createInsert<T extends keyof Schema>(db: Db, table: T): InsertRows<T> {
  const queryOf = createCompiledInserts(db, { table });
  return async (...rows) => {
    await db.executeQuery(queryOf(rows));
  };
}

/** Rows of one of many statements. The number of parameters is limited, and long statements take long to compile. */
const MAX_INSERTED = 256;

/** Inserts any number of rows by a few different statements. */
export async function insertAll<R>(
  insert: (...rows: readonly R[]) => Promise<void>,
  rows: readonly R[],
): Promise<void> {
  const yieldToEventLoop = createWriteYielder();
  for (const batch of splitIntoBatches(rows, MAX_INSERTED)) {
    await yieldToEventLoop();
    for (const part of splitIntoPowersOfTwo(batch)) await insert(...part);
  }
}

interface InsertForm<R> {
  table: keyof Schema;
  /** How the value of a column follows from the given one, which is the only parameter in it. */
  derived?: Readonly<Record<string, (given: unknown) => RawBuilder<unknown>>>;
  /** Columns that are the same in all rows. */
  constants?: Readonly<Record<string, string | number>>;
  /** The rest of the statement, without parameters. */
  end?: RawBuilder<R>;
}

/**
 * Inserts a row by a statement that returns one row. Rows of independent works are inserted together. Databases return
 * them in order, but don't promise it: compare the returned row with the given one.
 */
export function createAdd<R>(
  db: Db,
  form: InsertForm<R> & { end: RawBuilder<R> },
): (row: object) => Promise<R> {
  return createTogether(db, form, (rows, index) => {
    const row = rows[index];
    if (row === undefined) throw new Error(`${form.table} has not returned a row`);
    return row;
  });
}

/** The same by a statement that returns nothing. */
export const createSilentAdd = (db: Db, form: InsertForm<unknown>): ((row: object) => Promise<void>) =>
  createTogether<unknown, void>(db, form, () => {});

/** @param resultOf what the statement has returned for the row of an index */
function createTogether<R, T>(
  db: Db,
  form: InsertForm<R>,
  resultOf: (rows: readonly R[], index: number) => T,
): (row: object) => Promise<T> {
  const queryOf = createCompiledInserts(db, form);
  let open: AddedRows<T> | undefined;
  const insert = async (added: AddedRows<T>["added"]) => {
    try {
      const { rows } = await db.executeQuery<R>(queryOf(added.map(({ row }) => row)));
      for (const [index, { resolve }] of added.entries()) resolve(resultOf(rows, index));
    } catch (error) {
      for (const { reject } of added) reject(error);
    }
  };
  return (row) => {
    const columns = String(Object.keys(row));
    const scope = currentSavepoint();
    if (open?.scope !== scope || open?.columns !== columns) {
      const rows: AddedRows<T> = { scope, columns, added: [] };
      open = rows;
      // After the synchronous part of the other works.
      queueMicrotask(() => {
        if (open === rows) open = undefined;
        for (const part of splitIntoPowersOfTwo(rows.added)) void insert(part);
      });
    }
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    open.added.push({ row, resolve, reject });
    return promise;
  };
}

/** Rows that are inserted together, because they have the same columns and belong to the same savepoint. */
interface AddedRows<T> {
  scope: object | undefined;
  columns: string;
  added: { row: object; resolve(result: T): void; reject(reason: unknown): void }[];
}

/** Runs a query once for all works that share a savepoint. None of them may change what it reads. */
export function readOncePerSavepoint<R>(read: () => Promise<R>): () => Promise<R> {
  // One savepoint is open at a time.
  let last: { scope: object; result: Promise<R> } | undefined;
  return () => {
    const scope = currentSavepoint();
    if (scope === undefined) return read();
    if (last?.scope !== scope) last = { scope, result: read() };
    return last.result;
  };
}

/** Splits a list so that few lengths occur: each is a statement of its own. */
function splitIntoPowersOfTwo<T>(items: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let first = 0; first < items.length; ) {
    const size = 2 ** Math.floor(Math.log2(items.length - first));
    parts.push(items.slice(first, first + size));
    first += size;
  }
  return parts;
}

function createCompiledInserts<R>(db: Db, form: InsertForm<R>) {
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
  { table, derived = {}, constants = {}, end = sql`` }: InsertForm<R>,
  columns: readonly string[],
  values: readonly unknown[][],
): RawBuilder<R> {
  const names = sql.join([...columns, ...Object.keys(constants)].map((column) => sql.ref(column)));
  const literals = Object.values(constants).map((value) => sql.lit(value));
  const formatCell = (value: unknown, index: number) =>
    derived[columns[index] ?? ""]?.(value) ?? sql`${value}`;
  const rows = sql.join(values.map((row) => sql`(${sql.join([...row.map(formatCell), ...literals])})`));
  return sql<R>`insert into ${sql.table(table)} (${names}) values ${rows} ${end}`;
}

/**
 * Keeps SQLite's planner from using the column's index. A unary plus would do the same, which PostgreSQL only has for
 * numbers.
 */
export const hideFromIndex = <T = string>(column: string): RawBuilder<T> =>
  sql<T>`coalesce(${sql.ref(column)}, null)`;
