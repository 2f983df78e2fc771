/** Kysely with the schema of this service, on any of its databases. */
import type { Kysely } from "kysely";
import type { Schema } from "./schema.ts";

export type Db = Kysely<Schema>;
