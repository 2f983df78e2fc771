/** Which database is migrated, for the few things in which the migrations differ. */
import { type Kysely, PostgresAdapter } from "kysely";

export const isPostgres = (db: Kysely<unknown>): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter;
