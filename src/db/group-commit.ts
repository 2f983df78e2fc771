/** Group commit: writes that arrive together share one transaction and one fsync; each stands or falls alone. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Connection } from "./connection.ts";
import { StorageErrors } from "./storage-error.ts";
import type { Checkpoints } from "./workers/checkpoints.ts";

interface Job {
  /** Runs the work inside the open transaction. Throws only when that transaction is lost. */
  run(): Promise<void>;
  /** Tells the caller, once the transaction is on the disk or has failed. */
  settle(lost?: unknown): void;
}

/** How long one transaction may gather writes, so that the event loop is never held for long. */
const MAX_BATCH_MS = 20;

const OVERSTAYED = Symbol("the work waits for something other than the database");

export class GroupCommit {
  readonly errors = new StorageErrors();
  readonly #connection: Connection;
  readonly #checkpoints: Checkpoints | undefined;
  /** The work that the running code belongs to, so that leftover code can't write into another one's transaction. */
  readonly #scope = new AsyncLocalStorage<symbol>();
  #open: symbol | undefined;
  #waiting: Job[] = [];
  #flushing: Promise<void> | undefined;
  #closed = false;

  constructor(connection: Connection, checkpoints?: Checkpoints) {
    this.#connection = connection;
    this.#checkpoints = checkpoints;
  }

  /**
   * Runs `work` inside the next transaction and resolves once that is on disk.
   * When `work` throws, only what it did is undone; when the transaction fails, all its callers get the error.
   * `work` may wait for nothing but this connection: whoever else waits would hold up all writers, so it is refused
   * and undone.
   */
  submit<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new Error("The database is closed"));
    return new Promise<T>((resolve, reject) => {
      let report = () => {};
      this.#waiting.push({
        run: async () => {
          try {
            const result = await this.#inSavepoint(work);
            report = () => resolve(result);
          } catch (error) {
            report = () => reject(this.errors.reportedOf(error));
            if (!this.#connection.inTransaction) throw error;
          }
        },
        settle: (lost) => (lost === undefined ? report() : reject(lost)),
      });
      this.#flushing ??= this.#flush();
    });
  }

  /** Throws unless it is called by the work whose turn it is, with its transaction still there. */
  rejectOutsiders(): void {
    if (this.#open === undefined || this.#scope.getStore() !== this.#open) {
      throw new Error("The writing connection was used outside of a write, or after its end");
    }
    this.#assertTransaction();
  }

  /** Throws when it is called inside a work: another connection doesn't see what the transaction has written. */
  rejectInsiders(): void {
    if (this.#scope.getStore() !== undefined) {
      throw new Error("A write has asked another connection than the one that writes");
    }
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
      await this.#checkpoints?.pause;
      await this.#commitBatch();
      this.#checkpoints?.look();
    }
    this.#flushing = undefined;
  }

  async #commitBatch(): Promise<void> {
    const batch: Job[] = [];
    let lost: unknown;
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
      lost = this.errors.reportedOf(error);
      this.#rollBack();
      // If the transaction could not begin, nothing was taken from the queue: reject all waiting callers.
      if (batch.length === 0) batch.push(...this.#waiting.splice(0));
    }
    for (const job of batch) job.settle(lost);
  }

  /** A transaction that can't be rolled back now would make every later `begin` fail: it is tried again there. */
  #rollBack(): void {
    try {
      if (this.#connection.inTransaction) this.#connection.exec("rollback");
    } catch {
      // The callers get the first error.
    }
  }

  async #inSavepoint<T>(work: () => Promise<T>): Promise<T> {
    const own = Symbol("work");
    this.#connection.exec("savepoint work");
    this.#open = own;
    try {
      const result = await Promise.race([this.#scope.run(own, work), endOfTurn()]);
      if (result === OVERSTAYED) throw new Error("A write waited for something other than the database");
      this.#assertTransaction();
      this.#connection.exec("release work");
      return result;
    } catch (error) {
      this.#undoWork();
      throw error;
    } finally {
      this.#open = undefined;
    }
  }

  /** If the work can't be undone separately, the whole transaction is: partial work must never be committed. */
  #undoWork(): void {
    try {
      this.#connection.exec("rollback to work; release work");
    } catch {
      this.#rollBack();
    }
  }

  /** A full disk and the like may undo the whole transaction, and with it the savepoint of the work that met them. */
  #assertTransaction(): void {
    if (!this.#connection.inTransaction) throw new Error("The database has undone the transaction");
  }
}

/**
 * Comes when nothing is left to run but what waits for the outside. Statements run as they are called and promises
 * settle before this, so whoever hasn't ended by then waits for a timer, a file, the network or another write.
 */
const endOfTurn = (): Promise<typeof OVERSTAYED> =>
  new Promise((resolve) => process.nextTick(resolve, OVERSTAYED));
