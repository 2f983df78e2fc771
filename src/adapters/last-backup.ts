/** When the last verified backup of a data folder was made: noted there, wherever the backup itself is. */
import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { LAST_BACKUP_FILE } from "../lib/data-dir-names.ts";
import { isMissing } from "../lib/node-errors.ts";
import { writeDurably } from "./file-store-disk.ts";
import { onDisk } from "./file-store-faults.ts";

const note = z.object({ createdAt: z.iso.datetime(), path: z.string() });
export type LastBackup = z.output<typeof note>;

export async function noteBackup(dataDir: string, { createdAt, path }: LastBackup): Promise<void> {
  const place = join(dataDir, LAST_BACKUP_FILE);
  await onDisk(async () => {
    await writeDurably(`${place}.part`, `${JSON.stringify({ createdAt, path })}\n`, "w");
    await rename(`${place}.part`, place);
  });
}

/** Undefined when there is none, or no note of it that can be read. */
export async function lastBackup(dataDir: string): Promise<LastBackup | undefined> {
  try {
    return note.parse(JSON.parse(await readFile(join(dataDir, LAST_BACKUP_FILE), "utf8")));
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}
