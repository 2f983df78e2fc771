/** Migrates the database of an application as a version with other migrations does. */

import { createPool, endPool } from "../../src/db/postgres/connection.ts";
import { migrate } from "../../src/db/postgres/migrator.ts";
import { createNewerMigrations } from "./migrations-folder.ts";
import { createDatabaseSettings } from "./test-database.ts";

/** @param modules the sources of its further migrations, by name without the ending */
export async function migrateBy(modules: Readonly<Record<string, string>>, dataDir: string) {
  const { DATABASE_URL: url = "" } = await createDatabaseSettings(dataDir);
  const options = { url, connectTimeoutMs: 5000, statementTimeoutMs: 0 };
  const [pool, lockPool] = [createPool({ ...options, size: 1 }), createPool({ ...options, size: 2 })];
  try {
    return await migrate(pool, lockPool, createNewerMigrations(modules));
  } finally {
    await Promise.all([endPool(pool), endPool(lockPool)]);
  }
}
