/** `backup [--out dir] [--keep n]`: a verified copy of DATA_DIR, also while the server runs. */
import { join, resolve } from "node:path";
import { z } from "zod";
import { readConfig } from "../config.ts";
import { makeBackup } from "../container/backup.ts";
import { BACKUPS_FOLDER } from "../lib/data-dir-names.ts";
import { mebibytes } from "../lib/mebibytes.ts";
import type { Call } from "./call.ts";
import { demandDatabase } from "./existing-database.ts";
import { progressOn } from "./progress.ts";

const backupOptions = z.object({ out: z.string().optional(), keep: z.int().optional() });

export async function backup({ options }: Call): Promise<number> {
  const { out: given, keep } = backupOptions.parse(options);
  const { dataDir } = readConfig();
  await demandDatabase(dataDir);
  const out = resolve(given ?? join(dataDir, BACKUPS_FOLDER));
  const progress = progressOn(process.stderr);
  try {
    const { path, manifest, removed } = await makeBackup({ dataDir, out, keep, progress });
    const { database, files } = manifest;
    const sizes = `database ${mebibytes(database.sizeBytes)}, ${files.count} files ${mebibytes(files.sizeBytes)}`;
    for (const each of removed) process.stdout.write(`Removed ${each}\n`);
    process.stdout.write(`Verified: ${sizes}\n${path}\n`);
    return 0;
  } finally {
    progress.end();
  }
}
