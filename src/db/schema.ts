/** All tables, each described once; keys, indexes and constraints are those that the migrations make (schema-parts.ts). */
import { ACCOUNT_TABLES } from "./tables/accounts.ts";
import { CATALOGUE_TABLES } from "./tables/catalogue.ts";
import type { Rows } from "./tables/describe-table.ts";
import { DOWNLOAD_TABLES } from "./tables/downloads.ts";
import { LIBRARY_TABLES } from "./tables/library.ts";
import { OPERATION_TABLES } from "./tables/operation.ts";
import { OUTBOX_TABLES } from "./tables/outbox.ts";
import { STORED_BYTES_TABLES } from "./tables/stored-bytes.ts";

export type { Flag, ReleasedState } from "./tables/describe-table.ts";

/** A table comes after those to which it refers. */
export const TABLES = {
  ...ACCOUNT_TABLES,
  ...CATALOGUE_TABLES,
  ...STORED_BYTES_TABLES,
  ...LIBRARY_TABLES,
  ...DOWNLOAD_TABLES,
  ...OUTBOX_TABLES,
  ...OPERATION_TABLES,
};

/** The tables as types for Kysely. */
export type Schema = { [T in keyof typeof TABLES]: Rows<(typeof TABLES)[T]["columns"]> };

const isTable = (name: string): name is keyof Schema => Object.hasOwn(TABLES, name);

export const TABLE_NAMES: readonly (keyof Schema)[] = Object.keys(TABLES).filter(isTable);

type ColumnOf<T extends keyof Schema> = keyof Schema[T] & string;

const isColumn = <T extends keyof Schema>(table: T, name: string): name is ColumnOf<T> =>
  Object.hasOwn(TABLES[table].columns, name);

/**
 * The names of all columns, for statements in place of `*`: PostgreSQL keeps statements prepared, and fails one with `*`
 * after a newer version has added a column.
 */
export const columnsOf = <T extends keyof Schema>(table: T): readonly ColumnOf<T>[] =>
  Object.keys(TABLES[table].columns).filter((name) => isColumn(table, name));

/** All columns with the name of their table, for `select` and `returning`. */
export const allOf = <T extends keyof Schema>(table: T): `${T}.${ColumnOf<T>}`[] =>
  columnsOf(table).map((column) => `${table}.${column}` as const);
