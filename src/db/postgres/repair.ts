/** Makes missing indexes and constraints of a PostgreSQL database again, beside running instances. */
import { type Repair, repairParts } from "../schema-repair.ts";
import { createPool, endPool, executeOn, type PoolOptions } from "./connection.ts";
import { findMissingInPostgres } from "./schema-parts.ts";

/** An index of millions of rows takes minutes. */
const STATEMENT_TIMEOUT_MS = 60 * 60_000;
/** Statements that wait for a table make others wait. */
const LOCK_TIMEOUT_MS = 5000;

export async function repairPostgres(options: PoolOptions): Promise<Repair[]> {
  const limits = { statementTimeoutMs: STATEMENT_TIMEOUT_MS, lockTimeoutMs: LOCK_TIMEOUT_MS };
  const pool = createPool({ ...options, ...limits, size: 1 });
  try {
    return await repairParts({
      kind: "postgres",
      findMissing: () => findMissingInPostgres(pool),
      run: async (statement) => void (await executeOn(pool, statement)),
      read: async (statement) => (await executeOn(pool, statement)).rows,
    });
  } finally {
    await endPool(pool);
  }
}
