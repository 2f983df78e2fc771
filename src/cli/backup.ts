/** `backup [--out dir] [--keep n]`: a verified copy of DATA_DIR, also while the server runs. */
import { join, resolve } from "node:path";
import { z } from "zod";
import { openStorage } from "../adapters/files/storage.ts";
import { readConfig } from "../config.ts";
import { assertDatabase } from "../db/open-database.ts";
import { describeForeignData } from "../db/soundness.ts";
import { BACKUPS_FOLDER } from "../lib/data-dir-names.ts";
import { mebibytes } from "../lib/sizes.ts";
import { makeBackup, restoreBackup } from "../operation/backup/commands.ts";
import { type Call, EX_UNAVAILABLE } from "./command.ts";
import { createProgress } from "./progress.ts";

const backupOptions = z.object({ out: z.string().optional(), keep: z.int().optional() });

export async function backup({ options }: Call): Promise<number> {
  const { out: given, keep } = backupOptions.parse(options);
  const config = readConfig();
  if (config.postgres) return explain(HOW_TO_BACK_UP);
  const { dataDir } = config;
  await assertDatabase(config);
  const out = resolve(given ?? join(dataDir, BACKUPS_FOLDER));
  using progress = createProgress(process.stderr);
  const { store, closeStorage } = await openStorage(config);
  try {
    const { path, manifest, removed } = await makeBackup({ dataDir, out, keep, progress, store });
    const { database, files } = manifest;
    const sizes = `database ${mebibytes(database.sizeBytes)}, ${files.count} files ${mebibytes(files.sizeBytes)}`;
    for (const each of removed) process.stdout.write(`Deleted ${each}\n`);
    process.stdout.write(`Verified: ${sizes}\n${path}\n`);
    return 0;
  } finally {
    closeStorage();
  }
}

/** `restore <backup>`: verifies a backup and restores it into DATA_DIR, which must be empty or new. */
export async function restore({ args: [path = ""] }: Call): Promise<number> {
  const { dataDir, authSecret, postgres } = readConfig();
  if (postgres) return explain(HOW_TO_RESTORE);
  using progress = createProgress(process.stderr);
  const backup = resolve(path);
  const { manifest, foreignData } = await restoreBackup(dataDir, backup, progress);
  process.stdout.write(`Restored ${backup}, made ${manifest.createdAt}, to ${dataDir}.\n`);
  const warning = describeForeignData("The restored database", foreignData);
  if (warning !== undefined) process.stdout.write(`${warning}\n`);
  process.stdout.write(
    authSecret === undefined
      ? "All users have to log in again after the next start.\n"
      : "Change AUTH_SECRET before the next start: otherwise sessions that ended after the backup are valid again.\n",
  );
  return 0;
}

const HOW_TO_BACK_UP = `DATABASE_URL is set, so the database is backed up with the tools of PostgreSQL:
  pg_dump --format=custom --file=books.dump "$DATABASE_URL"   (while the service runs)
or continuously, with point-in-time recovery (a base backup and archived WAL).
Back up the stored files after the dump: copy DATA_DIR/files, or keep the versions of the bucket.
docs/backup.md explains both.
`;

const HOW_TO_RESTORE = `DATABASE_URL is set, so the database is restored with the tools of PostgreSQL, into an empty database:
  pg_restore --no-owner --exit-on-error --dbname="$DATABASE_URL" books.dump
Restore the stored files before the next start, then run bookdist check-data; beside a new file store, also
bookdist adopt-files. docs/backup.md explains both.
`;

function explain(text: string): number {
  process.stderr.write(text);
  return EX_UNAVAILABLE;
}
