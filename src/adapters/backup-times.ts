/** When the newest backup in the data folder was finished. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Only whole ones have such a name, which begins with the time: the last by name is the newest. */
const WHOLE = /^backup-[\d-]+T[\d.]+Z$/;

/** Epoch milliseconds; undefined when there is none. */
export async function newestBackupAt(directory: string): Promise<number | undefined> {
  try {
    const names = await readdir(directory);
    const newest = names
      .filter((name) => WHOLE.test(name))
      .sort()
      .at(-1);
    return newest === undefined ? undefined : (await stat(join(directory, newest))).mtimeMs;
  } catch {
    return undefined;
  }
}
