/** For commands that need an existing database. */
import { join } from "node:path";
import { modifiedAt } from "../adapters/files/file-store-disk.ts";
import { notFound } from "../errors.ts";
import { DATABASE_FILE } from "../lib/data-dir-names.ts";

/** Otherwise a wrong DATA_DIR would look like an empty service without any problems. */
export async function assertDatabase(dataDir: string): Promise<void> {
  if ((await modifiedAt(join(dataDir, DATABASE_FILE))) !== undefined) return;
  throw notFound("database_not_found", `${dataDir} contains no database.`);
}
