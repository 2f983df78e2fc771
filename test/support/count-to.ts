/** Work for SQLite alone, as long as is wanted. */
import { sql } from "kysely";

/** Counts one row at a time. */
export const countTo = (most: number) =>
  sql<{
    n: number;
  }>`with recursive c(i) as (select 1 union all select i + 1 from c where i < ${most}) select max(i) as n from c`;
