/** What repositories share: their connection, and the statements that are the same for every table. */
import {
  type CompiledQuery,
  type Insertable,
  type Selectable,
  type SelectQueryBuilder,
  sql,
  type Updateable,
} from "kysely";
import { LRUCache } from "lru-cache";
import type { Db } from "../db/kysely.ts";
import { createInsert, type InsertRows } from "../db/rows.ts";
import { columnsOf, type Schema } from "../db/schema.ts";

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

  /**
   * A frequent query with fixed text, compiled once, because that costs as much as running it.
   * @param query its values are replaced by those of each call, in the same order
   */
  protected compile<R, P extends readonly unknown[]>(
    query: CompiledQuery<R>,
  ): (...values: P) => Promise<R[]> {
    return async (...parameters) => (await this.db.executeQuery<R>({ ...query, parameters })).rows;
  }
}

type Row<T extends keyof Schema> = Selectable<Schema[T]>;

/** More kinds of updates than a table usually has. */
const UPDATES_KEPT = 50;

/** The rows of a table that are identified by the column `id`. Compiles each statement once, as `createInsert` does. */
class TableRepository<T extends keyof Schema, Id extends string | number> extends Repository {
  readonly #table: T;
  readonly #insert: InsertRows<T>;
  readonly #find: (id: Id) => Promise<Row<T>[]>;
  readonly #updates = new LRUCache<string, CompiledQuery<Row<T>>>({ max: UPDATES_KEPT });

  constructor(db: Db, table: T) {
    super(db);
    this.#table = table;
    this.#insert = createInsert(db, table);
    this.#find = this.compile(
      sql<Row<T>>`select ${namesOf(table)} from ${sql.table(table)} where ${isRow(null)}`.compile(db),
    );
  }

  /** As `InsertRows`. */
  insert(...rows: readonly Insertable<Schema[T]>[]): Promise<void> {
    return this.#insert(...rows);
  }

  async find(id: Id): Promise<Row<T> | undefined> {
    const [row] = await this.#find(id);
    return row;
  }

  /** The row with this value in a column whose values are unique. */
  protected async findBy<C extends keyof Row<T> & string>(
    column: C,
    value: Row<T>[C],
  ): Promise<Row<T> | undefined> {
    const query = sql<Row<T>>`select ${namesOf(this.#table)} from ${sql.table(this.#table)}`;
    const { rows } = await sql<Row<T>>`${query} where ${sql.ref(column)} = ${value}`.execute(this.db);
    return rows[0];
  }

  /** Sets the given columns of an existing row, and returns the row. */
  async update(id: Id, change: Updateable<Schema[T]>): Promise<Row<T>> {
    const given = Object.entries(change).filter(([, value]) => value !== undefined);
    const columns = given.map(([column]) => column);
    const query = this.#updates.get(`${columns}`) ?? this.#compileUpdate(columns);
    const parameters = [...given.map(([, value]) => value), id];
    const [row] = (await this.db.executeQuery<Row<T>>({ ...query, parameters })).rows;
    if (!row) throw new Error(`${this.#table} has no row ${id}`);
    return row;
  }

  /** Also deletes the rows of other tables that belong to it. */
  async delete(id: Id): Promise<void> {
    await sql`delete from ${sql.table(this.#table)} where ${isRow(id)}`.execute(this.db);
  }

  #compileUpdate(columns: readonly string[]): CompiledQuery<Row<T>> {
    const values = sql.join(columns.map((column) => sql`${sql.ref(column)} = ${null}`));
    const update = sql`update ${sql.table(this.#table)} set ${values} where ${isRow(null)}`;
    const query = sql<Row<T>>`${update} returning ${namesOf(this.#table)}`.compile(this.db);
    this.#updates.set(`${columns}`, query);
    return query;
  }
}

/** What the repository of a table extends. */
export const repositoryOf = <T extends keyof Schema, Id extends string | number = string>(table: T) =>
  class extends TableRepository<T, Id> {
    constructor(db: Db) {
      super(db, table);
    }
  };

const namesOf = (table: keyof Schema) => sql.join(columnsOf(table).map((column) => sql.ref(column)));

/** A compiled statement gets its id and values when it runs; until then they are null. */
const isRow = (id: string | number | null) => sql`${sql.ref("id")} = ${id}`;

/** Whether a query finds any row. */
export async function hasRows<T extends keyof Schema>(
  query: SelectQueryBuilder<Schema, T, object>,
): Promise<boolean> {
  return (await query.select(sql`1`.as("found")).limit(1).executeTakeFirst()) !== undefined;
}

/** The books of a page, in their order, each with the number of all that a query finds: it is run once. */
export function selectPage(
  db: Db,
  all: SelectQueryBuilder<Schema, "books", object>,
  { limit, offset }: Page,
) {
  const page = all
    .select((eb) => ["books.id as bookId", eb.fn.countAll<number>().over().as("total")])
    .orderBy("books.sortOrder")
    .orderBy("books.id")
    .limit(limit)
    .offset(offset);
  return db
    .selectFrom(page.as("page"))
    .innerJoin("books", "books.id", "page.bookId")
    .select("page.total")
    .orderBy("books.sortOrder")
    .orderBy("books.id");
}

/** The rows of a page without the total that each has. A page behind the last one has no row that could say it. */
export async function splitTotal<R extends { total: number }, T extends keyof Schema>(
  found: readonly R[],
  { offset }: Page,
  all: SelectQueryBuilder<Schema, T, object>,
): Promise<{ rows: Omit<R, "total">[]; total: number }> {
  const total = found[0]?.total ?? (offset === 0 ? 0 : await countSelectedRows(all));
  return { rows: found.map(({ total: _, ...row }) => row), total };
}

/** The number of rows that a query finds. */
export async function countSelectedRows<T extends keyof Schema>(
  query: SelectQueryBuilder<Schema, T, object>,
): Promise<number> {
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return total;
}
