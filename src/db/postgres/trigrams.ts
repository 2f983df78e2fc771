/** What a PostgreSQL database has of the extension pg_trgm, by which searches find books. */
import { sql } from "kysely";
import type { Db } from "../kysely.ts";

interface Trigrams {
  /** Of the extension, if the database has it. */
  schema: string | undefined;
  /** Whether the texts of books have an index of trigrams that can be used. */
  hasIndex: boolean;
}

export async function findTrigrams(db: Db): Promise<Trigrams> {
  const { rows } = await sql<{ schema: string | null; hasIndex: boolean }>`select
    (select nspname from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm') as schema,
    exists (
      select 1 from pg_index join pg_opclass on pg_opclass.oid = indclass[0]
      where indrelid = to_regclass('book_texts') and indisvalid and indpred is null and opcname = 'gin_trgm_ops'
    ) as "hasIndex"`.execute(db);
  return { schema: rows[0]?.schema ?? undefined, hasIndex: rows[0]?.hasIndex ?? false };
}

/** With `lc_ctype` C there are trigrams of ASCII only. @param schema of the extension */
export async function makesTrigramsOfAllScripts(db: Db, schema: string): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select cardinality(${sql.id(schema, "show_trgm")}(${"жжж"})) as count`.execute(db);
  return (rows[0]?.count ?? 0) > 0;
}
