/** The rows of all tables, in an order in which each row only refers to earlier ones, for copies between databases. */
import { createHash } from "node:crypto";
import { type Insertable, type RawBuilder, sql } from "kysely";
import type { Db } from "./kysely.ts";
import { createInsert } from "./rows.ts";
import { columnsOf, type Schema, TABLE_NAMES, TABLES } from "./schema.ts";
import { findKey } from "./schema-parts.ts";

type Table = keyof Schema;
type Row<T extends Table> = Insertable<Schema[T]>;

/**
 * Without what instances share while they run, jobs, which are about the source, examined files and those of imports, which
 * are kept for a while, the record of the installation, of which the target gets its own, and the last sweep: at the target, times begin again.
 */
export const MOVED_TABLES: readonly Table[] = TABLE_NAMES.filter((table) => TABLES[table].isMoved);

const ALL = sql<boolean>`1 = 1`;
/** A sub-language can have a lower id than its parent. There is one level of sub-languages. */
const PARTS: { readonly [T in Table]?: readonly RawBuilder<boolean>[] } = {
  languages: [sql<boolean>`"parentId" is null`, sql<boolean>`"parentId" is not null`],
};

/** All rows of a table, or those that meet a condition. */
interface TablePart {
  table: Table;
  key: readonly string[];
  condition: RawBuilder<boolean>;
}

export const listParts = (table: Table): TablePart[] =>
  (PARTS[table] ?? [ALL]).map((condition) => ({ table, key: findKey(table), condition }));

/** Few enough for one insert: SQLite takes 32,766 values in a statement, and an event has 32. */
const PAGE_ROWS = 500;

/** The rows after a row, in the order of their keys, or the first ones. */
async function readPage(db: Db, part: TablePart, last: Row<Table> | undefined): Promise<Row<Table>[]> {
  const { table, key, condition } = part;
  const values = key.map((column): unknown => last && Reflect.get(last, column));
  const after = last ? sql`and (${namesOf(key)}) > (${sql.join(values)})` : sql``;
  const { rows } = await sql<Row<Table>>`
    select ${namesOf(columnsOf(table))} from ${sql.table(table)} where ${condition} ${after} order by ${namesOf(key)} limit ${PAGE_ROWS}
  `.execute(db);
  return rows;
}

async function readLast(db: Db, { table, key, condition }: TablePart): Promise<Row<Table> | undefined> {
  const descending = sql.join(key.map((column) => sql`${sql.ref(column)} desc`));
  const { rows } = await sql<Row<Table>>`
    select ${namesOf(columnsOf(table))} from ${sql.table(table)} where ${condition} order by ${descending} limit 1
  `.execute(db);
  return rows[0];
}

const namesOf = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)));

export async function countRows(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

interface CopyTarget {
  read: Db;
  writer: Db;
  commit(work: () => Promise<void>): Promise<void>;
}

/** Copies the rows after the last one that the target has. @returns how many it had; each page counts by `onRows` */
export async function copyPart(
  source: Db,
  target: CopyTarget,
  part: TablePart,
  onRows: (count: number) => void,
): Promise<void> {
  const insert = createInsert(target.writer, part.table);
  let rows = await readPage(source, part, await readLast(target.read, part));
  while (rows.length > 0) {
    const page = rows;
    // While the target writes, the next page is read.
    [rows] = await Promise.all([readPage(source, part, page.at(-1)), target.commit(() => insert(...page))]);
    onRows(page.length);
  }
}

export interface TableDigest {
  table: string;
  rows: number;
  /** SHA-256 of all values in the order of the keys and the columns' names. */
  sha256: string;
}

/**
 * Reads a table of two databases side by side, so that neither waits long while the other is read.
 * @returns undefined if they differ
 */
export async function compareDigests(
  dbs: readonly [Db, Db],
  table: Table,
  onRows: (count: number) => void,
): Promise<TableDigest | undefined> {
  const hashes = [createHash("sha256"), createHash("sha256")] as const;
  let rows = 0;
  for (const part of listParts(table)) {
    let page: Row<Table>[] = [];
    do {
      const last = page.at(-1);
      const [one, other] = await Promise.all([readPage(dbs[0], part, last), readPage(dbs[1], part, last)]);
      hashes[0].update(formatRows(one));
      hashes[1].update(formatRows(other));
      if (one.length !== other.length) return undefined;
      rows += one.length;
      onRows(one.length);
      page = one;
    } while (page.length > 0);
  }
  const [sha256, another] = hashes.map((hash) => hash.digest("hex"));
  return sha256 !== undefined && sha256 === another ? { table, rows, sha256 } : undefined;
}

/** The order of columns depends on the migrations of each database. */
function formatRows(rows: readonly Row<Table>[]): string {
  const columns = Object.keys(rows[0] ?? {}).sort();
  return JSON.stringify(rows.map((row) => columns.map((column): unknown => Reflect.get(row, column))));
}
