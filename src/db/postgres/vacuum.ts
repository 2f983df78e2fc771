/** What PostgreSQL does by itself, at the latest a minute after many writes, done at once. */
import { connect, createPool, endPool, executeAll, giveBack, type PoolOptions } from "./connection.ts";

/** Also if the user of the database has a shorter one. */
const TABLE_TIMEOUT_MS = 60 * 60_000;
/** The server's own vacuum gives way after a second; another one, of an operator, doesn't. */
const LOCK_TIMEOUT_MS = 5000;

/**
 * Without it, a list reads the pages of all tables in place of those of indexes only, and plans are those for tables of
 * unknown size. @param onTable called after each
 */
export async function vacuum(
  options: PoolOptions,
  tables: readonly string[],
  onTable: () => void,
): Promise<void> {
  const limits = { statementTimeoutMs: TABLE_TIMEOUT_MS, lockTimeoutMs: LOCK_TIMEOUT_MS };
  const pool = createPool({ ...options, ...limits, size: 1 });
  try {
    const client = await connect(pool);
    try {
      // One after the other: it can't run in a transaction, which several statements in one message are.
      for (const table of tables) {
        await executeAll(client, `vacuum (analyze) "${table}"`);
        onTable();
      }
    } finally {
      giveBack(client);
    }
  } finally {
    await endPool(pool);
  }
}
