/** The clean-up of a start. */
import type { FileCache } from "../../adapters/files/file-cache.ts";
import type { Logger } from "../../adapters/logger.ts";
import { removeLeftovers } from "../../adapters/private-files.ts";
import type { Database } from "../../db/database.ts";
import type { ReleasedBytes } from "./released-bytes.ts";
import { type StoredFiles, SUSPICION, type Sweep } from "./stored-files.ts";

interface SweepDeps {
  config: { dataDir: string };
  database: Pick<Database, "runAtOneInstance">;
  stored: StoredFiles;
  released: Pick<ReleasedBytes, "recordFirst">;
  zipCache: Pick<FileCache, "sweep">;
  coverCache: Pick<FileCache, "sweep">;
  log: Logger;
}

/**
 * Deletes incomplete files that a crash can leave behind, and files of older versions; sets aside unreferenced files.
 * @returns undefined if another instance is doing so
 */
export async function sweepFiles(deps: SweepDeps): Promise<Sweep | undefined> {
  const { database, stored } = deps;
  await removeLeftovers(deps.config.dataDir);
  await deps.zipCache.sweep();
  await deps.coverCache.sweep();
  let swept: Sweep | undefined;
  await database.runAtOneInstance("sweep", async () => {
    swept = await stored.sweep();
    if (swept.suspicious) deps.log.error(swept.suspicious, SUSPICION);
    await deps.released.recordFirst();
  });
  await stored.measureSetAside();
  return swept;
}
