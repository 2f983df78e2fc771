/** `backup [--out dir] [--keep n]`: a verified copy of DATA_DIR, also while the server runs. */
import { join, resolve } from "node:path";
import { readConfig } from "../config.ts";
import { makeBackup } from "../container/backup.ts";
import { BACKUPS_FOLDER } from "../lib/data-dir-names.ts";
import { mebibytes } from "../lib/mebibytes.ts";
import { demandDatabase } from "./existing-database.ts";
import { UsageError } from "./operator-fault.ts";
import { optionsOf } from "./options.ts";
import { progressOn } from "./progress.ts";

const USAGE = "npm run backup -- [--out dir] [--keep n]";

export async function backup(args: readonly string[]): Promise<number> {
  const text = { type: "string" } as const;
  const { values } = optionsOf(USAGE, { args: [...args], options: { out: text, keep: text } });
  const keep = values.keep === undefined ? undefined : countOf(values.keep);
  const { dataDir } = readConfig();
  await demandDatabase(dataDir);
  const out = resolve(values.out ?? join(dataDir, BACKUPS_FOLDER));
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

function countOf(given: string): number {
  if (/^[1-9]\d{0,5}$/.test(given)) return Number(given);
  throw new UsageError(`--keep must be a whole number from 1\nUsage: ${USAGE}`);
}
