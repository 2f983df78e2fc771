/** Brings a database to the schema of this version: up from empty, one by one, with a copy kept of one that has data. */
import { mkdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Kysely } from "kysely";
import { type Migration, type MigrationProvider, Migrator } from "kysely/migration";
import { z } from "zod";
import type { Connection } from "./connection.ts";
import { kyselyOver } from "./kysely.ts";

const MIGRATIONS = new URL("../../migrations/", import.meta.url);

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
 * Migrates the database of `connection` to the newest schema.
 * @param backupDirectory where a copy goes before a database with data is changed
 * @throws NewerDatabaseError when the database has migrations that this version doesn't know
 */
export async function migrate(connection: Connection, backupDirectory: string): Promise<MigrationReport> {
  const db = kyselyOver(connection);
  const known = await readMigrations();
  const done = appliedMigrations(connection);
  const unknown = done.filter((name) => !(name in known));
  if (unknown.length > 0) throw new NewerDatabaseError(unknown);
  const pending = Object.keys(known).filter((name) => !done.includes(name));
  if (pending.length === 0) return { applied: [], copy: undefined };

  const copy = done.length > 0 ? keepCopy(connection, backupDirectory, pending[0] ?? "") : undefined;
  const provider: MigrationProvider = { getMigrations: async () => known };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error !== undefined) throw new Error("The database could not be migrated", { cause: error });
  return { applied: pending, copy };
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith(".ts")).sort();
  const entries = files.map(async (file) => {
    const loaded: unknown = await import(new URL(file, MIGRATIONS).href);
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

function keepCopy(connection: Connection, directory: string, before: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const copy = join(directory, `before-${before}-${new Date().toISOString().replaceAll(":", "")}.sqlite`);
  connection.prepare("vacuum into ?").run(copy);
  return copy;
}
