/** What the file system says about a file. */
import { stat } from "node:fs/promises";
import { isMissing } from "../lib/node-errors.ts";

/** Epoch milliseconds; undefined when there is no such file. */
export async function modifiedAt(path: string): Promise<number | undefined> {
  try {
    return Math.floor((await stat(path)).mtimeMs);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
