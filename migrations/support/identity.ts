/** The one thing in which the migrations differ: ids that the database counts. */
import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter } from "kysely";

/** A primary key that grows with each row. Values are never used again, not even after a deletion. */
export const identity =
  (db: Kysely<unknown>) =>
  (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
    isPostgres(db) ? column.primaryKey().generatedByDefaultAsIdentity() : column.primaryKey().autoIncrement();

const isPostgres = (db: Kysely<unknown>): boolean => db.getExecutor().adapter instanceof PostgresAdapter;
