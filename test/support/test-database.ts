/** The database of a test's application: a SQLite file, or in the project `postgres` a database on its server. */
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { DATABASE_FILE } from "../../src/lib/data-dir-names.ts";
import { onServer, withDatabase } from "../../tools/lib/postgres-process.ts";
import { TEST_DATABASE } from "./postgres-server.ts";

/** All instances on one database share it. */
const AUTH_SECRET = "Vh4x0pQ2s9LmT7cYzR1bN6wKdE8jUgAf";

export const isOnPostgres = (): boolean => inject("postgres") !== undefined;

/** By data folder, so that a second application on the same folder continues with the data of the first. */
const databases = new Map<string, string>();
let number = 0;

/** A migrated database without rows for a new data folder, which is made unless it exists. */
export function addDatabase(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (!inject("postgres")) copyFileSync(inject("emptyDatabase"), join(dataDir, DATABASE_FILE));
}

/** Settings with which an application uses the database of a data folder. */
export async function createDatabaseSettings(dataDir: string): Promise<Record<string, string>> {
  const server = inject("postgres");
  if (!server) return {};
  const known = databases.get(dataDir);
  const name = known ?? (await createDatabase(server));
  databases.set(dataDir, name);
  return { DATABASE_URL: withDatabase(server.url, name), DATABASE_POOL_SIZE: "3", AUTH_SECRET };
}

async function createDatabase({ url, template }: { url: string; template: string }): Promise<string> {
  number += 1;
  const name = `${TEST_DATABASE}${process.pid}_${number}`;
  await onServer(url, (client) =>
    client.query(`create database ${name} template ${template} strategy file_copy`),
  );
  return name;
}

export async function dropDatabase(dataDir: string): Promise<void> {
  const server = inject("postgres");
  const name = databases.get(dataDir);
  if (!server || name === undefined) return;
  databases.delete(dataDir);
  await onServer(server.url, (client) => client.query(`drop database ${name} with (force)`));
}
