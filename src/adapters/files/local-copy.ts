/** Copies of stored bytes for what needs a file on this machine. */
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Inspectable } from "./file-store.ts";
import { READ_BYTES } from "./file-store-disk.ts";
import { onDisk } from "./storage-errors.ts";

/** Runs `work` while the bytes are at `path`, where nothing else is written meanwhile. */
export async function withLocalCopy<T>(path: string, bytes: Inspectable, work: () => Promise<T>): Promise<T> {
  try {
    await onDisk(() => mkdir(dirname(path), { recursive: true, mode: 0o700 }));
    await using source = await bytes.open();
    const chunks = source.createReadStream({ start: 0, highWaterMark: READ_BYTES, autoClose: false });
    await onDisk(() => pipeline(chunks, createWriteStream(path, { mode: 0o600 })));
    return await work();
  } finally {
    // What can't be deleted now is overwritten by the next copy, or deleted at the next start.
    await rm(path, { force: true }).catch(() => {});
  }
}
