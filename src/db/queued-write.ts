/** A write from the call that queues it until its result is known. */
import { currentRequest } from "./request-scope.ts";
import { databaseBusy } from "./storage-error.ts";

interface Given {
  /** Undefined: runs alone. */
  key: string | undefined;
  /** Runs the work. @returns what resolves the promise of the caller */
  run(): Promise<() => void>;
  /** Rejects the promise of the caller. */
  reject(error: unknown): void;
}

export class QueuedWrite {
  readonly key: string | undefined;
  readonly #given: Given;
  readonly #request = currentRequest();
  /** It doesn't begin after this time. */
  readonly #beginUntil: number;
  /** When its request has no time left. */
  readonly #respondUntil: number;
  #report = () => {};
  #isSettled = false;

  constructor(given: Given, maxWaitMs: number) {
    const now = performance.now();
    this.key = given.key;
    this.#given = given;
    this.#request?.beginWait();
    this.#respondUntil = now + (this.#request?.remainingMs ?? Number.POSITIVE_INFINITY);
    this.#beginUntil = Math.min(now + maxWaitMs, this.#respondUntil);
  }

  /** Runs the work and keeps its result. Throws what the work throws. */
  async attempt(): Promise<void> {
    const resolve = await this.#given.run();
    this.#report = () => {
      if (this.#request) this.#request.hasWritten = true;
      resolve();
    };
  }

  /** @param errorOf called unless the whole transaction fails */
  fail(errorOf: () => unknown): void {
    this.#report = () => this.#given.reject(errorOf());
  }

  /** Settles the result, after the transaction is durable or has failed. */
  settle(lost?: unknown): void {
    this.#end(lost === undefined ? this.#report : () => this.#given.reject(lost));
  }

  /** Rejects if it has waited too long, or if nobody waits for it any more. @returns whether it may still begin */
  mayBegin(now: number): boolean {
    if (now > this.#beginUntil)
      this.#end(() => this.#given.reject(databaseBusy("The change waited too long and was not made.")));
    else if (this.#request?.clientHasLeft && !this.#request.hasWritten)
      this.#end(() => this.#given.reject(databaseBusy("The client has left, and the change was not made.")));
    return !this.#isSettled;
  }

  /** For a write that has begun: rejects if the time of its request has passed, without knowing what becomes of it. */
  rejectLate(now: number): void {
    if (now <= this.#respondUntil) return;
    const error = databaseBusy("The database has not confirmed the change in time.", {
      mayHaveBeenDone: true,
    });
    this.#end(() => this.#given.reject(error));
  }

  #end(settle: () => void): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#request?.endWait();
    settle();
  }
}
