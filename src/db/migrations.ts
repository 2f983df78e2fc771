/** The migrations of this version. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { z } from "zod";
import { assertInstallation } from "./assert-installation.ts";

export const MIGRATIONS = join(import.meta.dirname, "../../migrations");

interface OwnMigration extends Migration {
  /** Whether instances of older versions can't work after it, so that none may be running. */
  stopsOlderVersions: boolean;
}

const migrationModule = z.object({
  stopsOlderVersions: z.boolean().default(false),
  up: z.custom<(db: Kysely<unknown>) => Promise<void>>((value) => typeof value === "function"),
});

export interface MigrationReport {
  applied: string[];
  /** The path of the copy that was made before the migration, if the database had any data. */
  copy: string | undefined;
}

/**
 * The pending migrations of a database that has these, in order.
 * @throws InstallationError if it has migrations that this version doesn't know
 */
export async function findPending(
  applied: readonly string[],
  folder: string = MIGRATIONS,
): Promise<string[]> {
  const known = await listNames(folder);
  const unknown = applied.filter((name) => !known.includes(name));
  assertInstallation({ database_newer: unknown.length > 0 && { unknown } });
  return known.filter((name) => !applied.includes(name));
}

async function listNames(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".ts"));
  return files.map((name) => name.replace(/\.ts$/, "")).sort();
}

export async function readMigrations(folder: string = MIGRATIONS): Promise<Record<string, OwnMigration>> {
  const entries = (await listNames(folder)).map(async (name) => {
    const loaded: unknown = await import(pathToFileURL(join(folder, `${name}.ts`)).href);
    return [name, migrationModule.parse(loaded)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
