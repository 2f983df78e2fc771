/** Writes a cached file that is being built to a temporary one. */

import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { storageFault } from "./file-store-faults.ts";

/** How long a built file may be handed out. */
export interface Built {
  /** Milliseconds; without it the file is good for as long as there is room for it. */
  keepMs?: number;
}

/** Writes the whole file and ends the output. */
export type BuildFile = (output: Writable) => Promise<Built>;

/** Runs `build` into a new file at `path`. When it fails nothing remains; a full disk surfaces as 507. */
export async function buildFile(path: string, build: BuildFile): Promise<Built & { sizeBytes: number }> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const output = createWriteStream(path, { flags: "wx", mode: 0o600, highWaterMark: 1024 * 1024 });
  // The disk may fail while `build` isn't listening yet; it meets the broken stream later.
  output.on("error", () => {});
  try {
    const built = await build(output);
    if (!output.writableFinished) throw new Error("The file was never ended.");
    return { ...built, sizeBytes: output.bytesWritten };
  } catch (error) {
    output.destroy();
    await closed(output);
    // The first error is the one to tell.
    await rm(path, { force: true }).catch(() => {});
    throw storageFault(error);
  } finally {
    await closed(output);
  }
}

async function closed(output: Writable): Promise<void> {
  if (!output.closed) await new Promise<void>((resolve) => output.once("close", () => resolve()));
}
