/** Group commit: concurrent writes share one transaction and one fsync, but each succeeds or fails by itself. */
import { AsyncLocalStorage } from "node:async_hooks";
import { createYielder, waitForAll, type Yielder } from "../lib/event-loop.ts";
import { type AnyQueuedWrite, QueuedWrite } from "./queued-write.ts";
import { databaseBusy, StorageErrors, transactionUndone } from "./storage-error.ts";

/** The connection that writes: a transaction for each group, and in it savepoints: of one work, or of independent ones. */
export interface WritingConnection {
  /** Whether the transaction is still there: errors such as a full disk or a lost connection end it. */
  readonly isOpen: boolean;
  /** Whether a server runs the statements, while this process does other work. */
  readonly isRemote: boolean;
  /** Begins a transaction. From its first work on, no other process can write until it ends. */
  begin(): Promise<void>;
  /** Resolves once the transaction is durable. */
  commit(): Promise<void>;
  rollBack(): Promise<void>;
  /** The first work needs no savepoint: undoing it undoes the transaction, which the next work begins again. */
  beginWork(): Promise<void>;
  endWork(): Promise<void>;
  undoWork(): Promise<void>;
  /**
   * Runs a work of one statement without a transaction around it; absent where that saves nothing.
   * @returns false while another program writes: nothing was done
   */
  runStatement?(run: () => Promise<void>): Promise<boolean>;
  /**
   * The result of a work that has just been called. Rejects if it waits for something other than the database and the
   * event loop. @param findYield what the work waits for while it yields to the event loop
   */
  runLimited<T>(work: Promise<T>, findYield: () => Promise<void> | undefined): Promise<T>;
}

/** A work or several independent ones, in a savepoint of their own. */
interface Savepoint {
  group: GroupCommit;
  yieldToEventLoop: Yielder;
  /** Pending while the work yields. */
  yielding: Promise<void> | undefined;
  /** How many more it may run. */
  statementsLeft: number;
}

/** To which the running code belongs, so that leftover code can't write into another one's savepoint. */
const savepoints = new AsyncLocalStorage<Savepoint>();

/** Identifies the savepoint in which the running code writes; undefined outside of a write. */
export const currentSavepoint = (): object | undefined => savepoints.getStore();

/**
 * For long loops, inside of a write or not. A write that yields keeps its transaction open: other requests are served, but
 * no other write runs before its end.
 */
export function createWriteYielder(): Yielder {
  const scope = savepoints.getStore();
  return scope ? () => yieldWithin(scope) : createYielder();
}

function yieldWithin(scope: Savepoint): Promise<void> | undefined {
  const yielding = scope.yieldToEventLoop()?.finally(() => {
    scope.yielding = undefined;
  });
  scope.yielding = yielding;
  return yielding;
}

/** Limits how long one transaction accepts writes, so that the first ones don't wait long for its end. */
const MAX_BATCH_MS = 20;
/** Independent works that share a savepoint. On SQLite they run in one turn of the event loop. */
const MAX_TOGETHER = 64;
/** Writes that may wait at a time, and for how long. Others are rejected, because their callers would wait in vain. */
const MAX_WAITING = 1000;
const MAX_WAIT_MS = 10_000;
/** How often the waiting writes are examined. */
const EXAMINE_MS = 250;

export class GroupCommit {
  readonly errors = new StorageErrors();
  readonly #connection: WritingConnection;
  readonly #maxBatchMs: number;
  readonly #maxWaiting: number;
  readonly #maxWaitMs: number;
  #open: Savepoint | undefined;
  #waiting: AnyQueuedWrite[] = [];
  /** Those of the present transaction. */
  #begun: AnyQueuedWrite[] = [];
  #flushing: Promise<void> | undefined;
  #closed = false;

  /** @param options.maxBatchMs unlimited in tests that share one transaction on any machine */
  constructor(
    connection: WritingConnection,
    { maxBatchMs = MAX_BATCH_MS, maxWaiting = MAX_WAITING, maxWaitMs = MAX_WAIT_MS } = {},
  ) {
    this.#connection = connection;
    this.#maxBatchMs = maxBatchMs;
    this.#maxWaiting = maxWaiting;
    this.#maxWaitMs = maxWaitMs;
  }

  /**
   * Runs `work` inside the next transaction, and resolves when that is durable. If `work` throws, only its own changes
   * are rolled back; if the transaction fails, all its callers get the error. `work` may only wait for this connection:
   * anything else would delay all writers, so it is rejected and rolled back.
   * @param key of work that is independent of all other works with keys: it changes only rows of its key, reads no rows
   * that works with other keys change, and can be repeated after it was undone. Such works run at the same time, which
   * saves waiting for a server.
   * @param isStatement whether the work runs one statement at most, which needs no transaction if no other write waits
   */
  submit<T>(work: () => Promise<T>, key?: string, isStatement = false): Promise<T> {
    if (this.#closed) return Promise.reject(new Error("The database is closed"));
    if (this.#waiting.length >= this.#maxWaiting) {
      this.errors.counts.busy += 1;
      return Promise.reject(databaseBusy("Too many changes are waiting for the database."));
    }
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.push(
      new QueuedWrite({ work, resolve, reject, key, isStatement, maxWaitMs: this.#maxWaitMs }),
    );
    this.#flushing ??= this.#flush();
    return promise;
  }

  /** Throws unless the current work calls it and its transaction is still open. */
  rejectOutsiders(): void {
    if (this.#open === undefined || savepoints.getStore() !== this.#open) {
      throw new Error("The writing connection was used outside of a write, or after its end");
    }
    if (this.#open.statementsLeft-- === 0) throw new Error("A write of one statement has run another one");
    this.#assertTransaction();
  }

  /** Throws inside a work: another connection doesn't see the changes of the transaction. */
  rejectInsiders(): void {
    if (savepoints.getStore()?.group === this) {
      throw new Error("A write has asked another connection than the one that writes");
    }
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  /** Waits for pending writes; later ones are rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#flushing;
  }

  async #flush(): Promise<void> {
    const examining = setInterval(this.#examine, EXAMINE_MS).unref();
    // Lets the other callers of this event-loop turn queue first.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const settle = await this.#commitBatch();
      // A server runs the statements of the next group while the callers of this one respond.
      if (this.#connection.isRemote) setImmediate(settle);
      else {
        settle();
        await this.#gather();
      }
    }
    clearInterval(examining);
    this.#flushing = undefined;
  }

  /** Waits while each turn of the event loop brings more writes: they share a commit. */
  async #gather(): Promise<void> {
    let before: number;
    do {
      before = this.#waiting.length;
      await new Promise(setImmediate);
    } while (this.#waiting.length > before && this.#waiting.length < MAX_TOGETHER);
  }

  /** Rejects writes that have waited too long. The connection has limits of its own for its statements. */
  readonly #examine = (): void => {
    const now = performance.now();
    this.#waiting = this.#waiting.filter((write) => write.mayBegin(now));
    for (const write of this.#begun) write.rejectLate(now);
  };

  /** @returns what settles the promises of the callers */
  async #commitBatch(): Promise<() => void> {
    const batch: AnyQueuedWrite[] = [];
    this.#begun = batch;
    let lost: unknown;
    let isCommitting = false;
    try {
      if (await this.#runStatement(batch)) return () => settleAll(batch);
      await this.#connection.begin();
      const until = performance.now() + this.#maxBatchMs;
      const yieldToEventLoop = createYielder();
      while (this.#waiting.length > 0) {
        const writes = this.#takeIndependent();
        batch.push(...writes);
        await this.#runTogether(writes);
        if (performance.now() >= until) break;
        await yieldToEventLoop();
      }
      isCommitting = true;
      await this.#connection.commit();
    } catch (error) {
      lost = this.errors.recordError(error, isCommitting);
      await this.#rollBack();
      // If the transaction couldn't begin, nothing was taken from the queue: reject all waiting callers.
      if (batch.length === 0) batch.push(...this.#waiting.splice(0));
    }
    return () => settleAll(batch, lost);
  }

  /** @returns whether a write of one statement was alone, and has run without a transaction */
  async #runStatement(batch: AnyQueuedWrite[]): Promise<boolean> {
    const [first, second] = this.#waiting;
    if (!this.#connection.runStatement || !first?.isStatement || second) return false;
    batch.push(...this.#takeIndependent());
    const [write] = batch;
    if (!write) return true;
    const isDone = await this.#connection.runStatement(() => this.#runLimited(() => write.attempt(), 1));
    if (!isDone) this.#waiting.unshift(...batch.splice(0));
    return isDone;
  }

  /** If the transaction can't be rolled back now, every later `begin` would fail, so the rollback is repeated there. */
  async #rollBack(): Promise<void> {
    try {
      if (this.#connection.isOpen) await this.#connection.rollBack();
    } catch {
      // The callers get the first error.
    }
  }

  /** The next write, and those behind it that can run at the same time: their keys differ. */
  #takeIndependent(): AnyQueuedWrite[] {
    const keys = new Set<string>();
    const isIndependent = ({ key }: AnyQueuedWrite) => {
      const isNew = key !== undefined && !keys.has(key) && keys.size < MAX_TOGETHER;
      if (isNew) keys.add(key);
      return isNew;
    };
    const end = this.#waiting.findIndex((write) => !isIndependent(write));
    const taken = this.#waiting.splice(0, Math.max(1, end === -1 ? this.#waiting.length : end));
    const now = performance.now();
    return taken.filter((write) => write.mayBegin(now));
  }

  /** If one of several writes fails, all are undone, and run again one after the other. */
  async #runTogether(writes: readonly AnyQueuedWrite[]): Promise<void> {
    const isDone = writes.length > 1 && (await this.#attemptAll(writes));
    if (!isDone) for (const write of writes) await this.#run(write);
  }

  /** Runs a write in a savepoint of its own. Throws only if the transaction is lost. */
  async #run(write: AnyQueuedWrite): Promise<void> {
    try {
      await this.#runInSavepoint(() => write.attempt());
    } catch (error) {
      write.fail(() => this.errors.recordError(error));
      if (!this.#connection.isOpen) throw error;
    }
  }

  /** @returns whether all have succeeded. Throws only if the transaction is lost. */
  async #attemptAll(writes: readonly AnyQueuedWrite[]): Promise<boolean> {
    try {
      await this.#runInSavepoint(async () => {
        // None may still be running when the savepoint ends.
        await waitForAll(writes.map((write) => write.attempt()));
      });
      return true;
    } catch (error) {
      if (!this.#connection.isOpen) throw error;
      return false;
    }
  }

  async #runInSavepoint(work: () => Promise<void>): Promise<void> {
    await this.#connection.beginWork();
    try {
      await this.#runLimited(work);
      await this.#connection.endWork();
    } catch (error) {
      await this.#undoWork();
      throw error;
    }
  }

  /** What the work leaves running can't write later. */
  async #runLimited(work: () => Promise<void>, statementsLeft = Number.POSITIVE_INFINITY): Promise<void> {
    const yieldToEventLoop = createYielder();
    const own: Savepoint = { group: this, yieldToEventLoop, yielding: undefined, statementsLeft };
    this.#open = own;
    try {
      await this.#connection.runLimited(savepoints.run(own, work), () => own.yielding);
      this.#assertTransaction();
    } finally {
      this.#open = undefined;
    }
  }

  /**
   * If the work can't be rolled back separately, roll back the whole transaction: partial work must never be committed.
   */
  async #undoWork(): Promise<void> {
    try {
      await this.#connection.undoWork();
    } catch {
      await this.#rollBack();
    }
  }

  /** Errors such as a full disk or a lost connection end the whole transaction, including the savepoint of the work. */
  #assertTransaction(): void {
    if (!this.#connection.isOpen) throw transactionUndone();
  }
}

/** Emptied, because `#begun` refers to them: what is kept until the next transaction outlives its requests. */
function settleAll(batch: AnyQueuedWrite[], lost?: unknown): void {
  for (const write of batch.splice(0)) write.settle(lost);
}
