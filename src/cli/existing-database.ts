/** For commands that look at what is there. */
import { join } from "node:path";
import { modifiedAt } from "../adapters/files/file-store-disk.ts";
import { notFound } from "../errors.ts";
import { DATABASE_FILE } from "../lib/data-dir-names.ts";

/** Otherwise a wrong DATA_DIR would be taken for an empty service, which is in the best of health. */
export async function assertDatabase(dataDir: string): Promise<void> {
  if ((await modifiedAt(join(dataDir, DATABASE_FILE))) !== undefined) return;
  throw notFound("database_not_found", `${dataDir} contains no database.`);
}
