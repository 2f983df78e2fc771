/** What code far below the HTTP layer must know about the request for which it runs. */
import { AsyncLocalStorage } from "node:async_hooks";

/** Limits are rounded up to it, so that timers of the same duration share a list. */
const STEP_MS = 100;

/**
 * A request waits for the database only for a limited time in total. Other waits, such as for the body or for a slow
 * reader, have limits of their own and don't count.
 */
export class RequestScope {
  /** A request that has changed something goes on even if its client leaves. */
  hasWritten = false;
  /** The user who sends it, or to whom its key belongs; undefined for readers. */
  userId: string | undefined;
  /** Until when the response can be kept by others, in epoch milliseconds. */
  validUntil = Infinity;
  readonly #limitMs: number;
  readonly #onClose: (listener: () => void) => void;
  #hasLeft: () => boolean;
  #left: AbortController | undefined;
  #waitedMs = 0;
  #waits = 0;
  #since = 0;

  /**
   * @param hasLeft whether the client has closed its connection before the response began
   * @param onClose calls the listener when the connection closes, or the response has been sent
   */
  constructor(limitMs: number, hasLeft = () => false, onClose: (listener: () => void) => void = () => {}) {
    this.#limitMs = limitMs;
    this.#hasLeft = hasLeft;
    this.#onClose = onClose;
  }

  get clientHasLeft(): boolean {
    return this.#hasLeft();
  }

  /** Aborted when the client leaves: for work that is long enough to be ended. */
  get signal(): AbortSignal {
    this.#left ??= this.#watchClient();
    return this.#left.signal;
  }

  #watchClient(): AbortController {
    const left = new AbortController();
    const abortIfLeft = () => {
      if (this.#hasLeft()) left.abort();
    };
    abortIfLeft();
    if (!left.signal.aborted) this.#onClose(abortIfLeft);
    return left;
  }

  /** Call it with the time at which something in the response changes by itself. */
  limitValidity(until: number): void {
    this.validUntil = Math.min(this.validUntil, until);
  }

  /** Timers of the connection keep the scope: without this, also the response, and all that belongs to it. */
  end(): void {
    this.#hasLeft = () => false;
  }

  /** Infinity if there is no limit. */
  get remainingMs(): number {
    const present = this.#waits > 0 ? performance.now() - this.#since : 0;
    const remaining = this.#limitMs - this.#waitedMs - present;
    return Math.max(0, Math.ceil(remaining / STEP_MS) * STEP_MS);
  }

  /** Simultaneous waits count once. */
  beginWait(): void {
    if (this.#waits === 0) this.#since = performance.now();
    this.#waits += 1;
  }

  endWait(): void {
    this.#waits -= 1;
    if (this.#waits === 0) this.#waitedMs += performance.now() - this.#since;
  }
}

const requests = new AsyncLocalStorage<RequestScope | undefined>();

/** Undefined outside of requests. */
export const currentRequest = (): RequestScope | undefined => requests.getStore();

export const runRequest = <T>(scope: RequestScope, work: () => Promise<T>): Promise<T> =>
  requests.run(scope, work).finally(() => scope.end());

/** For work that is called later, on behalf of another request. */
export const bindToRequest = <T>(work: () => T): (() => T) => AsyncLocalStorage.bind(work);

/** For what must be done even if the request has no time left or its client has left. */
export const outsideRequest = <T>(work: () => T): T => requests.run(undefined, work);

/** Counts the time until `work` ends as a wait for the database. */
export async function countWait<T>(work: () => Promise<T>): Promise<T> {
  const request = currentRequest();
  request?.beginWait();
  try {
    return await work();
  } finally {
    request?.endWait();
  }
}
