/** A folder of a test's own migrations. */
import { readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MIGRATIONS } from "../../src/db/migrations.ts";
import { createTempFolder } from "./temp-folder.ts";

/** @param bodies the statements of each migration's `up(db)`, by name without the ending */
export function createMigrationsFolder(bodies: Readonly<Record<string, string>>): string {
  const folder = createTempFolder();
  for (const [name, body] of Object.entries(bodies)) {
    writeFileSync(join(folder, `${name}.ts`), `export async function up(db) {\n${body}\n}\n`);
  }
  return folder;
}

/** The migrations of this version and others, as a newer version has them. @param modules their sources, by name without the ending */
export function createNewerMigrations(modules: Readonly<Record<string, string>>): string {
  const folder = linkMigrations(() => true);
  for (const [name, source] of Object.entries(modules)) writeFileSync(join(folder, `${name}.ts`), source);
  return folder;
}

/** The migrations of the version before one of them. @param number of that one */
export const createOlderMigrations = (number: string): string =>
  linkMigrations((name) => name < number || name === "support");

function linkMigrations(isWanted: (name: string) => boolean): string {
  const folder = createTempFolder();
  for (const name of readdirSync(MIGRATIONS).filter(isWanted))
    symlinkSync(join(MIGRATIONS, name), join(folder, name));
  return folder;
}
