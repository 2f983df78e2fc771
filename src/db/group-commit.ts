/** Group commit: writes that arrive together share one transaction and one fsync; each stands or falls alone. */
import type { Connection } from "./connection.ts";

interface Job {
  run(): Promise<void>;
  settle(commitFault?: Error): void;
}

/** How long one transaction may gather writes, so that the event loop is never held for long. */
const MAX_BATCH_MS = 20;

export class GroupCommit {
  readonly #connection: Connection;
  #waiting: Job[] = [];
  #flushing: Promise<void> | undefined;
  #closed = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Runs `work` inside the next transaction and answers once that is on the disk.
   * When `work` throws, only what it did is undone; when the commit fails, every caller is told.
   * `work` may wait for nothing but the database: whoever else waits would hold up all writers.
   */
  submit<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new Error("The database is closed"));
    return new Promise<T>((resolve, reject) => {
      let outcome: (() => void) | undefined;
      this.#waiting.push({
        run: async () => {
          try {
            const result = await this.#inSavepoint(work);
            outcome = () => resolve(result);
          } catch (error) {
            outcome = () => reject(error);
          }
        },
        settle: (commitFault) => (commitFault ? reject(commitFault) : outcome?.()),
      });
      this.#flushing ??= this.#flush();
    });
  }

  /** Waits for the writes under way; later ones are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#flushing;
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      // The turn's other callers get to queue up first.
      await new Promise(setImmediate);
      await this.#commitBatch();
    }
    this.#flushing = undefined;
  }

  async #commitBatch(): Promise<void> {
    const batch: Job[] = [];
    let fault: Error | undefined;
    try {
      this.#connection.exec("begin immediate");
      const until = performance.now() + MAX_BATCH_MS;
      for (let job = this.#waiting.shift(); job; job = this.#waiting.shift()) {
        batch.push(job);
        await job.run();
        if (performance.now() >= until) break;
      }
      this.#connection.exec("commit");
    } catch (error) {
      fault = error instanceof Error ? error : new Error(String(error));
      if (this.#connection.inTransaction) this.#connection.exec("rollback");
      // Nobody was taken from the queue when the transaction could not even begin: those waiting are told too.
      if (batch.length === 0) batch.push(...this.#waiting.splice(0));
    }
    for (const job of batch) job.settle(fault);
  }

  async #inSavepoint<T>(work: () => Promise<T>): Promise<T> {
    let turnEnded = false;
    const turn = setImmediate(() => {
      turnEnded = true;
    });
    this.#connection.exec("savepoint work");
    try {
      const result = await work();
      if (turnEnded) throw new Error("A write waited for something other than the database");
      this.#connection.exec("release work");
      return result;
    } catch (error) {
      this.#connection.exec("rollback to work; release work");
      throw error;
    } finally {
      clearImmediate(turn);
    }
  }
}
