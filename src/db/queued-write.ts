/** A write from the call that queues it until its result is known. */
import { currentRequest } from "./request-scope.ts";
import { databaseBusy } from "./storage-error.ts";

interface QueuedWriteDeps<T> {
  work(): Promise<T>;
  resolve(result: T): void;
  reject(error: unknown): void;
  /** Undefined: runs alone. */
  key: string | undefined;
  /** Whether it runs one statement at most. */
  isStatement: boolean;
  /** It doesn't begin later. */
  maxWaitMs: number;
}

export class QueuedWrite<T> {
  readonly key: string | undefined;
  readonly isStatement: boolean;
  readonly #deps: QueuedWriteDeps<T>;
  readonly #request = currentRequest();
  /** It doesn't begin after this time. */
  readonly #beginUntil: number;
  /** When its request has no time left. */
  readonly #respondUntil: number;
  #outcome: { result: T } | { explainError(): unknown } | undefined;
  #isSettled = false;

  constructor(deps: QueuedWriteDeps<T>) {
    const now = performance.now();
    this.key = deps.key;
    this.isStatement = deps.isStatement;
    this.#deps = deps;
    this.#request?.beginWait();
    this.#respondUntil = now + (this.#request?.remainingMs ?? Number.POSITIVE_INFINITY);
    this.#beginUntil = Math.min(now + deps.maxWaitMs, this.#respondUntil);
  }

  /** Runs the work and keeps its result, unless it has failed: it may have been undone before it ends. Throws what the work throws. */
  async attempt(): Promise<void> {
    const result = await this.#deps.work();
    if (this.#outcome === undefined || !("explainError" in this.#outcome)) this.#outcome = { result };
  }

  /** @param explainError called unless the whole transaction fails */
  fail(explainError: () => unknown): void {
    this.#outcome = { explainError };
  }

  /** Settles the result, after the transaction is durable or has failed. */
  settle(lost?: unknown): void {
    if (lost !== undefined || this.#outcome === undefined) this.#reject(lost);
    else if ("explainError" in this.#outcome) this.#reject(this.#outcome.explainError());
    else this.#resolve(this.#outcome.result);
  }

  /** Rejects if it has waited too long, or if its client has left. @returns whether it may still begin */
  mayBegin(now: number): boolean {
    if (now > this.#beginUntil) this.#reject(databaseBusy("The change waited too long and was not made."));
    else if (this.#request?.clientHasLeft && !this.#request.hasWritten)
      this.#reject(databaseBusy("The client has left, and the change was not made."));
    return !this.#isSettled;
  }

  /** For a write that has begun: rejects if the time of its request has passed, without knowing what becomes of it. */
  rejectLate(now: number): void {
    if (now <= this.#respondUntil) return;
    const error = databaseBusy("The database has not confirmed the change in time.", {
      mayHaveBeenDone: true,
    });
    this.#reject(error);
  }

  #resolve(result: T): void {
    if (!this.#end()) return;
    if (this.#request) this.#request.hasWritten = true;
    this.#deps.resolve(result);
  }

  #reject(error: unknown): void {
    if (this.#end()) this.#deps.reject(error);
  }

  /** @returns whether it wasn't settled yet */
  #end(): boolean {
    if (this.#isSettled) return false;
    this.#isSettled = true;
    this.#request?.endWait();
    return true;
  }
}

/** Writes with results of different types wait in one queue. */
export type AnyQueuedWrite = Pick<QueuedWrite<unknown>, keyof QueuedWrite<unknown>>;
