/** A folder of a test's own migrations. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "./temp-folder.ts";

/** @param bodies the statements of each migration's `up(db)`, by name without the ending */
export function migrationsFolder(bodies: Readonly<Record<string, string>>): string {
  const folder = tempFolder();
  for (const [name, body] of Object.entries(bodies)) {
    writeFileSync(join(folder, `${name}.ts`), `export async function up(db) {\n${body}\n}\n`);
  }
  return folder;
}
