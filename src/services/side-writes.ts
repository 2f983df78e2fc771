/** What a read writes by the way, such as when a key was last used: a disk that is full or fails must not fail the read. */
import type { Logger } from "../adapters/logger.ts";
import { AppError } from "../errors.ts";

const DISK_ERRORS = ["disk_full", "database_unavailable"];

export class SideWrites {
  readonly #log: Logger;
  #isDropping = false;

  constructor(deps: { log: Logger }) {
    this.#log = deps.log;
  }

  /** Drops a write that the disk refuses, and logs the first of them. @returns whether it was written */
  async attempt(write: () => Promise<unknown>): Promise<boolean> {
    try {
      await write();
      this.#isDropping = false;
      return true;
    } catch (error) {
      if (!(error instanceof AppError) || !DISK_ERRORS.includes(error.code)) throw error;
      if (!this.#isDropping) {
        this.#log.warn(
          { err: error.cause ?? error },
          "last uses of sessions and keys can't be written; requests go on",
        );
      }
      this.#isDropping = true;
      return false;
    }
  }
}
