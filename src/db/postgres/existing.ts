/** Opens the database of a running service from outside the service, without migrating it. */
import { notFound } from "../../errors.ts";
import type { ExistingDatabase } from "../database.ts";
import { readClock } from "./clock.ts";
import { createPool, describeUrl, endPool, executeOn, type PoolOptions } from "./connection.ts";
import { assertReachable } from "./database.ts";
import { createPostgresKysely } from "./kysely.ts";
import { examineDatabase, readAppliedMigrations } from "./migrator.ts";
import { findMissingInPostgres } from "./schema-parts.ts";

/** Counts of all rows, and what happens between two reads of a snapshot, may take longer than for requests. */
const STATEMENT_TIMEOUT_MS = 5 * 60_000;
const IDLE_TIMEOUT_MS = 60 * 60_000;

/** @throws OperatorError if the server can't be reached, rejects the user, or has no suitable database */
export async function openExistingPostgres(options: PoolOptions): Promise<ExistingDatabase> {
  // One connection, which a snapshot belongs to.
  const pool = createPool({
    ...options,
    size: 1,
    statementTimeoutMs: Math.max(options.statementTimeoutMs, STATEMENT_TIMEOUT_MS),
    idleInTransactionTimeoutMs: IDLE_TIMEOUT_MS,
  });
  try {
    await assertReachable(pool, options.url);
    if ((await readAppliedMigrations(pool)).length === 0) {
      throw notFound(
        "database_not_found",
        `${describeUrl(options.url)} contains no database of this service.`,
      );
    }
  } catch (error) {
    await endPool(pool);
    throw error;
  }
  return {
    kind: "postgres",
    db: createPostgresKysely(pool),
    readMigrations: () => readAppliedMigrations(pool),
    examine: (limit) => examineDatabase(pool, limit),
    findMissing: () => findMissingInPostgres(pool),
    readClock: () => readClock(pool),
    async hold() {
      await executeOn(pool, "begin isolation level repeatable read read only");
    },
    [Symbol.asyncDispose]: () => endPool(pool),
  };
}
