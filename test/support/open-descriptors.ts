/** Which files below a folder this process still holds open, to prove that none leaks. */

import { readdir, readlink } from "node:fs/promises";
import { sep } from "node:path";

/** Only Linux shows them; elsewhere such a test is skipped. */
export const canListDescriptors = process.platform === "linux";

/** Paths of the open descriptors below `folder`; an unlinked file ends in " (deleted)". */
export async function openDescriptors(folder: string): Promise<string[]> {
  const numbers = await readdir("/proc/self/fd");
  // A descriptor may be closed between the two calls: it then points nowhere.
  const targets = await Promise.all(
    numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => "")),
  );
  return targets.filter((target) => target.startsWith(folder + sep));
}
