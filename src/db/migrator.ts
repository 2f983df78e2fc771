/** Migrates a database to the schema of this version. Keeps a copy of a database with data. */
import { closeSync, mkdirSync, openSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Kysely } from "kysely";
import { type Migration, type MigrationProvider, Migrator } from "kysely/migration";
import { z } from "zod";
import { OperatorError } from "../errors.ts";
import type { Connection } from "./sqlite/connection.ts";
import { kyselyOver } from "./kysely.ts";
import { withStatementCache } from "./sqlite/statement-cache.ts";

const MIGRATIONS = join(import.meta.dirname, "../../migrations");

const migrationModule = z.object({
  up: z.custom<(db: Kysely<unknown>) => Promise<void>>((value) => typeof value === "function"),
});

/** The database was created by a newer version of this service: it isn't changed. */
export class NewerDatabaseError extends OperatorError {
  override readonly name = "NewerDatabaseError";

  constructor(unknown: readonly string[]) {
    super(
      `A newer version of this service created the database (it has ${unknown.join(", ")}). Use that version.`,
    );
  }
}

export interface MigrationReport {
  applied: string[];
  /** The path of the copy that was made before the migration, if the database had any data. */
  copy: string | undefined;
}

/**
 * Migrates the database of `connection` to the newest schema, all migrations or none.
 * @param backupDirectory where a copy is stored before a database with data is changed
 * @param folder of the migrations, which run in the order of their names
 * @throws NewerDatabaseError if the database has migrations that this version doesn't know
 */
export async function migrate(
  connection: Connection,
  backupDirectory: string,
  folder: string = MIGRATIONS,
): Promise<MigrationReport> {
  const pending = await pendingAfter(appliedMigrations(connection), folder);
  if (pending.length === 0) return { applied: [], copy: undefined };

  const known = await readMigrations(folder);
  const copy = hasTables(connection) ? keepCopy(connection, backupDirectory, pending[0] ?? "") : undefined;
  await applyAll(connection, known);
  return { applied: pending, copy };
}

/**
 * The pending migrations of a database that has these, in order.
 * @throws NewerDatabaseError if it has migrations that this version doesn't know
 */
export async function pendingAfter(
  applied: readonly string[],
  folder: string = MIGRATIONS,
): Promise<string[]> {
  const known = await namesOf(folder);
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new NewerDatabaseError(unknown);
  return known.filter((name) => !applied.includes(name));
}

async function namesOf(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".ts"));
  return files.map((name) => name.replace(/\.ts$/, "")).sort();
}

async function readMigrations(folder: string): Promise<Record<string, Migration>> {
  const entries = (await namesOf(folder)).map(async (name) => {
    const loaded: unknown = await import(pathToFileURL(join(folder, `${name}.ts`)).href);
    return [name, migrationModule.parse(loaded)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

export function appliedMigrations(connection: Connection): string[] {
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
async function applyAll(connection: Connection, known: Record<string, Migration>): Promise<void> {
  const provider: MigrationProvider = { getMigrations: async () => known };
  const db = kyselyOver(withStatementCache(connection));
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
