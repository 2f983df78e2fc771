/** Copies the files that rows refer to from one store to another, and verifies the hash of each. */

import type { FileStore, OpenedBlob } from "../../adapters/files/file-store.ts";
import { READ_BYTES } from "../../adapters/files/file-store-disk.ts";
import { readFailureOf } from "../../adapters/files/storage-errors.ts";
import { conflict, OperatorError } from "../../errors.ts";
import type { DoctorRepository, KeptRow } from "../../repositories/doctor.repository.ts";
import { iterateRowsById } from "../../services/doctor/checks.ts";
import { openBytesIfThere } from "../../services/shared/stored-bytes.ts";

/** Enough to recognise the problem. */
const MAX_MISSING = 100;

/** A row whose file is missing. */
export type Missing = Pick<KeptRow, "name" | "sha256">;

interface BytesCopyDeps {
  from: FileStore;
  to: FileStore;
}

export class BytesCopy {
  readonly #deps: BytesCopyDeps;
  /** Number of rows processed. */
  done = 0;

  constructor(deps: BytesCopyDeps) {
    this.#deps = deps;
  }

  /**
   * @returns the first missing ones
   * @throws 409 `bytes_changed` for a file whose content has changed
   */
  async copy(rows: DoctorRepository): Promise<Missing[]> {
    const missing: Missing[] = [];
    this.done = 0;
    for await (const row of iterateNamed(rows)) {
      this.done += 1;
      if (await this.#isCopied(row)) continue;
      if (missing.length < MAX_MISSING) missing.push(row);
    }
    return missing;
  }

  /** @returns false if the file is missing */
  async #isCopied(row: KeptRow): Promise<boolean> {
    if (await this.#deps.to.has(row.sha256)) return true;
    const blob = await this.#open(row);
    if (blob === undefined) return false;
    await using _handle = blob.handle;
    await this.#take(blob, row);
    return true;
  }

  async #open(row: KeptRow): Promise<OpenedBlob | undefined> {
    try {
      return await openBytesIfThere(this.#deps.from, row);
    } catch (error) {
      const reason = readFailureOf(error);
      if (reason === undefined) throw error;
      const advice =
        "bookdist check-data lists all affected files. No backup was created; earlier backups are unchanged.";
      throw new OperatorError(
        `The stored bytes of ${row.name} (${row.sha256}) can't be read: ${reason}. ${advice}`,
        {
          cause: error,
        },
      );
    }
  }

  async #take({ handle, sizeBytes: maxBytes }: OpenedBlob, { name, sha256 }: KeptRow): Promise<void> {
    const bytes = handle.createReadStream({ highWaterMark: READ_BYTES, autoClose: false });
    const received = await this.#deps.to.receive(bytes, { maxBytes, steadily: true });
    try {
      if (received.sha256 === sha256) return void (await this.#deps.to.keep(received));
    } finally {
      await received.discard();
    }
    throw conflict("bytes_changed", `The stored bytes of ${name} (${sha256}) don't match their hash.`);
  }
}

async function* iterateNamed(rows: DoctorRepository): AsyncGenerator<KeptRow> {
  yield* iterateRowsById((id, limit) => rows.listFilesAfter(id, limit));
  yield* iterateRowsById((id, limit) => rows.listCoversAfter(id, limit));
  yield* iterateRowsById((id, limit) => rows.listReplacedAfter(id, limit));
}
