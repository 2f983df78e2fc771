/** What repositories share: their connection, and the statements that are the same for every table. */
import { type Selectable, type SelectQueryBuilder, sql, type Updateable } from "kysely";
import type { Db } from "../db/kysely.ts";
import { type InsertRows, insertsInto } from "../db/rows.ts";
import type { Schema } from "../db/schema.ts";

/** The number of ids or rows of a statement, because the number of its parameters is limited. */
export const ROWS_PER_STATEMENT = 1000;

export interface Page {
  limit: number;
  offset: number;
}

export abstract class Repository {
  protected readonly db: Db;

  constructor(db: Db) {
    this.db = db;
  }
}

/** The rows of a table that are identified by the column `id`. */
export abstract class TableRepository<
  T extends keyof Schema,
  Id extends string | number = string,
> extends Repository {
  readonly insert: InsertRows<T>;
  readonly #table: T;

  constructor(db: Db, table: T) {
    super(db);
    this.#table = table;
    this.insert = insertsInto(db, table);
  }

  async find(id: Id): Promise<Selectable<Schema[T]> | undefined> {
    const query = sql<
      Selectable<Schema[T]>
    >`select * from ${sql.table(this.#table)} where ${sql.ref("id")} = ${id}`;
    const { rows } = await query.execute(this.db);
    return rows[0];
  }

  /** Sets the given columns of an existing row, and returns the row. */
  async update(id: Id, change: Updateable<Schema[T]>): Promise<Selectable<Schema[T]>> {
    const given = Object.entries(change).filter(([, value]) => value !== undefined);
    const values = sql.join(given.map(([column, value]) => sql`${sql.ref(column)} = ${value}`));
    const query = sql<
      Selectable<Schema[T]>
    >`update ${sql.table(this.#table)} set ${values} where ${sql.ref("id")} = ${id} returning *`;
    const [row] = (await query.execute(this.db)).rows;
    if (!row) throw new Error(`${this.#table} has no row ${id}`);
    return row;
  }

  /** Also deletes the rows of other tables that belong to it. */
  async delete(id: Id): Promise<void> {
    await sql`delete from ${sql.table(this.#table)} where ${sql.ref("id")} = ${id}`.execute(this.db);
  }
}

/** The number of rows that a query finds. */
export async function numberOfRows<T extends keyof Schema>(
  query: SelectQueryBuilder<Schema, T, object>,
): Promise<number> {
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return total;
}
