/** `restore <backup>`: verifies a backup and puts it in the place of what DATA_DIR holds, which is kept beside it. */
import { resolve } from "node:path";
import { readConfig } from "../config.ts";
import { restoreBackup } from "../container/backup.ts";
import { describeForeignData } from "../db/foreign-schema.ts";
import type { Call } from "./call.ts";
import { progressOn } from "./progress.ts";

export async function restore({ args: [path = ""] }: Call): Promise<number> {
  const { dataDir, authSecret } = readConfig();
  const progress = progressOn(process.stderr);
  try {
    const backup = resolve(path);
    const { manifest, aside, foreignData } = await restoreBackup(dataDir, backup, progress);
    process.stdout.write(`Restored ${backup}, made ${manifest.createdAt}, to ${dataDir}.\n`);
    if (aside !== undefined) process.stdout.write(`The replaced data is now in ${aside}.\n`);
    const warning = describeForeignData("The restored database", foreignData);
    if (warning !== undefined) process.stdout.write(`${warning}\n`);
    process.stdout.write(
      authSecret === undefined
        ? "All users have to log in again after the next start.\n"
        : "Change AUTH_SECRET before the next start: otherwise sessions that have been ended since the backup are valid again.\n",
    );
    return 0;
  } finally {
    progress.end();
  }
}
