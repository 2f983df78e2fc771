/** Migrates a SQLite database to the schema of this version. Keeps a copy of a database with data. */
import { closeSync, mkdirSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Migration, MigrationProvider } from "kysely/migration";
import { z } from "zod";
import { findPending, MIGRATIONS, type MigrationReport, readMigrations } from "../migrations.ts";
import type { Connection } from "./connection.ts";
import { createSqliteKysely } from "./kysely.ts";
import { createNewestSchema, readNewestSchema } from "./newest-schema.ts";
import { withStatementCache } from "./statement-cache.ts";

/**
 * Migrates the database of `connection` to the newest schema, all migrations or none. An empty one gets the schema at once.
 * @param backupDirectory where a copy is stored before a database with data is changed
 * @param folder of the migrations, which run in the order of their names
 * @throws InstallationError if the database has migrations that this version doesn't know
 */
export async function migrate(
  connection: Connection,
  backupDirectory: string,
  folder: string = MIGRATIONS,
): Promise<MigrationReport> {
  const pending = await findPending(readAppliedMigrations(connection), folder);
  if (pending.length === 0) return { applied: [], copy: undefined };

  const isEmpty = !hasTables(connection);
  const newest = isEmpty && folder === MIGRATIONS ? readNewestSchema() : undefined;
  // A migration that the file of the schema doesn't know yet runs with all others.
  if (newest?.migrations.join() === pending.join()) {
    createNewestSchema(connection, newest);
    return { applied: pending, copy: undefined };
  }
  const known = await readMigrations(folder);
  const copy = isEmpty ? undefined : keepCopy(connection, backupDirectory, pending[0] ?? "");
  await applyAll(connection, known);
  return { applied: pending, copy };
}

export function readAppliedMigrations(connection: Connection): string[] {
  const table = connection.prepare("select 1 from sqlite_master where name = 'kysely_migration'").get();
  if (table === undefined) return [];
  return z
    .array(z.string())
    .parse(connection.prepare("select name from kysely_migration order by name").pluck().all());
}

const hasTables = (connection: Connection): boolean =>
  connection.prepare("select 1 from sqlite_master").get() !== undefined;

/** The copy contains readers' addresses and password hashes, so it is accessible only to its owner. */
function keepCopy(connection: Connection, directory: string, before: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const copy = join(directory, `before-${before}-${new Date().toISOString().replaceAll(":", "")}.sqlite`);
  // VACUUM INTO accepts an existing file if it is empty.
  closeSync(openSync(copy, "wx", 0o600));
  try {
    connection.prepare("vacuum into ?").run(copy);
  } catch (error) {
    rmSync(copy, { force: true });
    throw error;
  }
  return copy;
}

/**
 * Uses one transaction for all migrations, which Kysely doesn't open for SQLite: a crash or an error leaves the former
 * schema. Foreign keys are checked at the end, because rebuilding a table would delete the rows that refer to it
 * (sqlite.org/lang_altertable.html, 7).
 */
export async function applyAll(connection: Connection, known: Record<string, Migration>): Promise<void> {
  const provider: MigrationProvider = { getMigrations: async () => known };
  const { Migrator } = await import("kysely/migration");
  const db = createSqliteKysely(withStatementCache(connection));
  connection.pragma("foreign_keys = off");
  try {
    connection.exec("begin immediate");
    const { error } = await new Migrator({ db, provider }).migrateToLatest();
    if (error !== undefined) throw error;
    const orphans = connection.pragma("foreign_key_check");
    if (Array.isArray(orphans) && orphans.length > 0) throw new Error("Rows refer to missing rows");
    connection.exec("commit");
  } catch (error) {
    if (connection.inTransaction) connection.exec("rollback");
    throw new Error("The database could not be migrated and is unchanged", { cause: error });
  } finally {
    connection.pragma("foreign_keys = on");
  }
}
