/** A database with all migrations and no rows, made once in a run: to make one takes as long as many a test. */
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { openSqlite } from "../../src/db/sqlite/database.ts";
import { temporaryFolder } from "../../tools/lib/temporary-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    emptyDatabase: string;
  }
}

/** Runs once, before the workers start; what it returns runs after them. */
export default async function provideEmptyDatabase(project: TestProject): Promise<() => void> {
  const { path: folder, remove } = temporaryFolder("bds-empty");
  const file = join(folder, "database.sqlite");
  const database = await openSqlite(file, folder, (error) => {
    throw error;
  });
  await database.close();
  project.provide("emptyDatabase", file);
  return remove;
}
