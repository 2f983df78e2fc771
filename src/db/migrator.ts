/** Brings a database to the schema of this version: up from empty, one by one, with a copy kept of one that has data. */
import { closeSync, mkdirSync, openSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Kysely } from "kysely";
import { type Migration, type MigrationProvider, Migrator } from "kysely/migration";
import { z } from "zod";
import type { Connection } from "./connection.ts";
import { kyselyOver } from "./kysely.ts";
import { withStatementCache } from "./statement-cache.ts";

const MIGRATIONS = join(import.meta.dirname, "../../migrations");

const migrationModule = z.object({
  up: z.custom<(db: Kysely<unknown>) => Promise<void>>((value) => typeof value === "function"),
});

/** The database was made by a newer version of this service: it is left alone. */
export class NewerDatabaseError extends Error {
  constructor(unknown: readonly string[]) {
    super(
      `The database was made by a newer version of this service (it has ${unknown.join(", ")}). Use that version.`,
    );
    this.name = "NewerDatabaseError";
  }
}

export interface MigrationReport {
  applied: string[];
  /** Where the database as it was before has been kept, if it had any data. */
  copy: string | undefined;
}

/**
 * Migrates the database of `connection` to the newest schema, all or nothing.
 * @param backupDirectory where a copy goes before a database with data is changed
 * @param folder of the migrations, which run in the order of their names
 * @throws NewerDatabaseError when the database has migrations that this version doesn't know
 */
export async function migrate(
  connection: Connection,
  backupDirectory: string,
  folder: string = MIGRATIONS,
): Promise<MigrationReport> {
  const known = await readMigrations(folder);
  const done = appliedMigrations(connection);
  const unknown = done.filter((name) => !Object.hasOwn(known, name));
  if (unknown.length > 0) throw new NewerDatabaseError(unknown);
  const pending = Object.keys(known).filter((name) => !done.includes(name));
  if (pending.length === 0) return { applied: [], copy: undefined };

  const copy = hasTables(connection) ? keepCopy(connection, backupDirectory, pending[0] ?? "") : undefined;
  await applyAll(connection, known);
  return { applied: pending, copy };
}

async function readMigrations(folder: string): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".ts")).sort();
  const entries = files.map(async (file) => {
    const loaded: unknown = await import(pathToFileURL(join(folder, file)).href);
    return [file.replace(/\.ts$/, ""), migrationModule.parse(loaded)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

function appliedMigrations(connection: Connection): string[] {
  const table = connection.prepare("select 1 from sqlite_master where name = 'kysely_migration'").get();
  if (table === undefined) return [];
  return z
    .array(z.string())
    .parse(connection.prepare("select name from kysely_migration order by name").pluck().all());
}

const hasTables = (connection: Connection): boolean =>
  connection.prepare("select 1 from sqlite_master").get() !== undefined;

/** The copy holds what the database holds: readers' addresses and password hashes. It is its owner's only. */
function keepCopy(connection: Connection, directory: string, before: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const copy = join(directory, `before-${before}-${new Date().toISOString().replaceAll(":", "")}.sqlite`);
  // VACUUM INTO takes a file that is there if it is empty.
  closeSync(openSync(copy, "wx", 0o600));
  connection.prepare("vacuum into ?").run(copy);
  return copy;
}

/**
 * One transaction around all of them, which Kysely doesn't open for SQLite: a crash or a fault leaves the former
 * schema. Foreign keys are looked at in the end, because rebuilding a table would delete what refers to it
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
    if (Array.isArray(orphans) && orphans.length > 0) throw new Error("Rows refer to others that are gone");
    connection.exec("commit");
  } catch (error) {
    if (connection.inTransaction) connection.exec("rollback");
    throw new Error("The database could not be migrated; it is as it was", { cause: error });
  } finally {
    connection.pragma("foreign_keys = on");
  }
}
