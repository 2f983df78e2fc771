/** The note of the last backup in the data folder: when it was made, and where it is. */
import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { LAST_BACKUP_FILE } from "../lib/data-dir-names.ts";
import { isMissing } from "../lib/node-errors.ts";
import { writeDurably } from "./files/file-store-disk.ts";
import { onDisk } from "./files/storage-errors.ts";

/** The time of the last verified backup, stored in the data folder wherever the backup is. */
const note = z.object({ createdAt: z.iso.datetime(), path: z.string() });
type LastBackup = z.output<typeof note>;

export async function noteBackup(dataDir: string, { createdAt, path }: LastBackup): Promise<void> {
  const place = join(dataDir, LAST_BACKUP_FILE);
  await onDisk(async () => {
    await writeDurably(`${place}.part`, `${JSON.stringify({ createdAt, path })}\n`, "w");
    await rename(`${place}.part`, place);
  });
}

/** Undefined if there is none, or if the note can't be read. */
export async function readLastBackup(dataDir: string): Promise<LastBackup | undefined> {
  try {
    return note.parse(JSON.parse(await readFile(join(dataDir, LAST_BACKUP_FILE), "utf8")));
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}
