/** Streams an upload into a temporary file. */
import { createReadStream } from "node:fs";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { basename } from "node:path";
import type { Readable } from "node:stream";
import type { ReceivedFile, ReceiveOptions, StoredBlob } from "./file-store.ts";
import { createInFolder, exceedsUmask, type Modes, PRIVATE_MODES, READ_BYTES } from "./file-store-disk.ts";
import { Intake } from "./intake.ts";
import { onDisk } from "./storage-errors.ts";

/** Contract: `FileStore.receive`. Holds at most one chunk in memory. */
export async function receiveInto(
  path: string,
  source: AsyncIterable<Buffer> | Readable,
  options: ReceiveOptions,
  modes: Modes = PRIVATE_MODES,
): Promise<ReceivedFile> {
  const intake = new Intake(source, options);
  // What can't be deleted now is deleted at the next start: it must not fail a write that has succeeded.
  const discard = () => unlink(path).catch(() => {});
  const handle = await openTemporary(path, modes);
  try {
    const written = await writeAll(handle, intake, options);
    await onDisk(() => handle.sync());
    await onDisk(() => handle.close());
    return {
      id: basename(path),
      ...written,
      open: () => onDisk(() => open(path, "r")),
      read: () => createReadStream(path, { highWaterMark: READ_BYTES }),
      discard,
    };
  } catch (error) {
    // The first error is the one to report.
    await handle.close().catch(() => {});
    await discard();
    throw intake.convertError(error);
  }
}

/** `wx`: a repeated id must not mix two uploads. */
const openTemporary = (path: string, { file: mode, folder }: Modes): Promise<FileHandle> =>
  onDisk(async () => {
    const handle = await createInFolder(path, folder, () => open(path, "wx", mode));
    if (exceedsUmask(mode)) await handle.chmod(mode);
    return handle;
  });

async function writeAll(
  handle: FileHandle,
  intake: Intake,
  { steadily }: ReceiveOptions,
): Promise<StoredBlob> {
  let unsynced = 0;
  for await (const chunk of intake.readChunks()) {
    // `writeFile` on a handle continues at the current position and retries partial writes.
    const writing = onDisk(() => handle.writeFile(chunk));
    intake.hash(chunk);
    await writing;
    unsynced += chunk.byteLength;
    if (steadily && unsynced >= READ_BYTES) {
      await onDisk(() => handle.datasync());
      unsynced = 0;
    }
  }
  return intake.finish();
}
