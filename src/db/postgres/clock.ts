/** The clock of the server. */
import type pg from "pg";
import { z } from "zod";
import { executeOn } from "./connection.ts";

const rowOf = z.tuple([z.object({ now: z.number() })]);

/** In epoch milliseconds, at the moment of the statement. */
export async function readClock(pool: pg.Pool): Promise<number> {
  const { rows } = await executeOn(
    pool,
    "select (extract(epoch from clock_timestamp()) * 1000)::bigint as now",
  );
  return rowOf.parse(rows)[0].now;
}
