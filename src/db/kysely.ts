/** Kysely with the schema of this service, on any of its databases. */
import { type Kysely, PostgresAdapter } from "kysely";
import type { Schema } from "./schema.ts";

export type Db = Kysely<Schema>;

export const isPostgres = (db: Db): boolean => db.getExecutor().adapter instanceof PostgresAdapter;
