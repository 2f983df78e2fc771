/** `restore <backup>`: verifies a backup and puts it in the place of what DATA_DIR holds, which is kept beside it. */
import { resolve } from "node:path";
import { readConfig } from "../config.ts";
import { restoreBackup } from "../container/backup.ts";
import { UsageError } from "./operator-fault.ts";
import { optionsOf } from "./options.ts";
import { progressOn } from "./progress.ts";

const USAGE = "npm run restore -- <backup>";

export async function restore(args: readonly string[]): Promise<number> {
  const { positionals } = optionsOf(USAGE, { args: [...args], allowPositionals: true });
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0) throw new UsageError(`Usage: ${USAGE}`);
  const { dataDir, authSecret } = readConfig();
  const progress = progressOn(process.stderr);
  try {
    const backup = resolve(path);
    const { manifest, aside } = await restoreBackup(dataDir, backup, progress);
    process.stdout.write(`Restored ${backup}, made ${manifest.createdAt}, to ${dataDir}.\n`);
    if (aside !== undefined) process.stdout.write(`What was there is now in ${aside}.\n`);
    process.stdout.write(
      authSecret === undefined
        ? "Everybody logs in anew after the next start.\n"
        : "Change AUTH_SECRET before the next start: sessions that were ended since then would be valid again.\n",
    );
    return 0;
  } finally {
    progress.end();
  }
}
