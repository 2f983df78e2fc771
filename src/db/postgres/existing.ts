/** Opens the database of a running service from outside the service, without migrating it. */
import { notFound } from "../../errors.ts";
import type { ExistingDatabase } from "../database.ts";
import { describeUrl, newPool, type PoolOptions } from "./connection.ts";
import { assertReachable } from "./database.ts";
import { kyselyOver } from "./kysely.ts";
import { appliedMigrations, examineDatabase } from "./migrator.ts";

/** @throws OperatorError if the server can't be reached, rejects the user, or has no suitable database */
export async function openExistingPostgres(options: PoolOptions): Promise<ExistingDatabase> {
  // One connection, which a snapshot belongs to.
  const pool = newPool({ ...options, size: 1 });
  try {
    await assertReachable(pool, options.url);
    if ((await appliedMigrations(pool)).length === 0) {
      throw notFound(
        "database_not_found",
        `${describeUrl(options.url)} contains no database of this service.`,
      );
    }
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    kind: "postgres",
    db: kyselyOver(pool),
    migrations: () => appliedMigrations(pool),
    examine: (limit) => examineDatabase(pool, limit),
    async hold() {
      await pool.query("begin isolation level repeatable read read only");
    },
    close: () => pool.end(),
  };
}
