/** Whether the data folder takes writes, tried out. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { unavailable } from "../errors.ts";

export class WriteProbe {
  readonly #path: string;

  constructor({ directory }: { directory: string }) {
    this.#path = join(directory, "write-probe");
  }

  /** Leaves nothing behind. @throws AppError 503 `storage_unavailable` */
  async write(): Promise<void> {
    try {
      await writeFile(this.#path, "x", { mode: 0o600 });
      await rm(this.#path);
    } catch (cause) {
      throw unavailable("storage_unavailable", "The data folder can't be written just now.", { cause });
    }
  }
}
