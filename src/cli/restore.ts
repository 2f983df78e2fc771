/** `restore <backup>`: verifies a backup and puts it in the place of what DATA_DIR holds, which is kept beside it. */
import { resolve } from "node:path";
import { modifiedAt } from "../adapters/file-facts.ts";
import { readConfig } from "../config.ts";
import { joinRestore } from "../container/backup.ts";
import { type DataDirLock, lockDataDir } from "../db/data-dir-lock.ts";
import { UsageError } from "./operator-fault.ts";
import { optionsOf } from "./options.ts";
import { progressOn } from "./progress.ts";

const USAGE = "npm run restore -- <backup>";

export async function restore(args: readonly string[]): Promise<number> {
  const { positionals } = optionsOf(USAGE, { args: [...args], allowPositionals: true });
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0) throw new UsageError(`Usage: ${USAGE}`);
  const config = readConfig();
  const { dataDir } = config;
  const progress = progressOn(process.stderr);
  const { folderAt, verification, restore: service } = joinRestore(dataDir, progress);
  let lock: DataDirLock | undefined;
  try {
    // A running server is told of at once. Where there is no folder yet, none is made for a backup that is damaged.
    if ((await modifiedAt(dataDir)) !== undefined) lock = lockDataDir(dataDir);
    const folder = folderAt(resolve(path));
    const manifest = await verification.check(folder);
    lock ??= lockDataDir(dataDir);
    const { aside } = await service.restore(folder, manifest);
    process.stdout.write(`Restored ${folder.path}, made ${manifest.createdAt}, to ${dataDir}.\n`);
    if (aside !== undefined) process.stdout.write(`What was there is now in ${aside}.\n`);
    process.stdout.write(
      config.authSecret === undefined
        ? "Everybody logs in anew after the next start.\n"
        : "Change AUTH_SECRET before the next start: sessions that were ended since then would be valid again.\n",
    );
    return 0;
  } finally {
    progress.end();
    lock?.release();
  }
}
