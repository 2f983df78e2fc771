/** Ids that the database counts. */
import type { ColumnDefinitionBuilder, Kysely } from "kysely";
import { isPostgres } from "./dialect.ts";

/** A primary key that grows with each row. Values are never used again, not even after a deletion. */
export const identity =
  (db: Kysely<unknown>) =>
  (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
    isPostgres(db) ? column.primaryKey().generatedByDefaultAsIdentity() : column.primaryKey().autoIncrement();
