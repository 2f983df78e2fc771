/** Queues long work: one piece at a time, fairly among clients. */
import { currentRequest } from "../db/request-scope.ts";
import { databaseBusy } from "../db/storage-error.ts";
import type { AppError } from "../errors.ts";

/**
 * The client that requests the work. Readers are identified by a key that they can't choose freely, such as their
 * address; users by their id, whether they are logged in or use a key.
 */
export interface QueueClient {
  kind: "user" | "reader";
  key: string;
}

/** The user of the present request. All that the service or a command does by itself counts as one user. */
export const findPresentUser = (): QueueClient => ({ kind: "user", key: currentRequest()?.userId ?? "" });

interface FairQueueOptions {
  /** Pieces of work that can wait. */
  maxOfOne?: number;
  maxOfAllReaders?: number;
  /** For work beyond these limits. */
  createError?: () => AppError;
}

/** The error isn't sent: its client has closed the connection. */
export const clientHasLeft = (): AppError => databaseBusy("The client has left, and the work was given up.");

/**
 * Alternates between users and readers, and rotates among each of them, so that between two pieces of work of one client
 * each other client gets at most one.
 */
export class FairQueue {
  readonly #options: Required<FairQueueOptions>;
  readonly #users = new WaitingClients();
  readonly #readers = new WaitingClients();
  #isBusy = false;
  #wasReader = false;

  constructor({
    maxOfOne = Number.POSITIVE_INFINITY,
    maxOfAllReaders = Number.POSITIVE_INFINITY,
    createError = () => databaseBusy("Too much work is waiting."),
  }: FairQueueOptions = {}) {
    this.#options = { maxOfOne, maxOfAllReaders, createError };
  }

  /** How much work of a client waits. */
  countWaiting(client: QueueClient): number {
    return this.#findGroup(client).countOf(client.key);
  }

  /**
   * Throws if too much work is waiting.
   * @param signal takes waiting work out of the queue
   */
  async run<T>(client: QueueClient, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) throw clientHasLeft();
    const waiting = this.#findGroup(client);
    if (this.#isBusy) await this.#wait(client, waiting, signal);
    else waiting.serve(client.key);
    this.#wasReader = client.kind === "reader";
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      // The queue stays marked as busy during the handover, so that a new caller can't overtake those that wait.
      const begin = this.#takeNext();
      if (begin) begin();
      else this.#isBusy = false;
    }
  }

  #findGroup({ kind }: QueueClient): WaitingClients {
    return kind === "reader" ? this.#readers : this.#users;
  }

  #wait({ kind, key }: QueueClient, waiting: WaitingClients, signal: AbortSignal | undefined): Promise<void> {
    const { maxOfOne, maxOfAllReaders, createError } = this.#options;
    const isFull = kind === "reader" && waiting.count >= maxOfAllReaders;
    if (isFull || waiting.countOf(key) >= maxOfOne) throw createError();
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.remove(key, begin);
        reject(clientHasLeft());
      };
      const begin = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      waiting.add(key, begin);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  #takeNext(): Begin | undefined {
    const [first, second] = this.#wasReader ? [this.#users, this.#readers] : [this.#readers, this.#users];
    return first.take() ?? second.take();
  }
}

type Begin = () => void;

/** The clients of one kind that have waiting work. The one that was served last comes after all others. */
class WaitingClients {
  /** In round-robin order: a Map keeps the order of insertion. */
  readonly #clients = new Map<string, Begin[]>();
  #served: { key: string; work: Begin[] } | undefined;
  count = 0;

  countOf(key: string): number {
    return this.#workOf(key)?.length ?? 0;
  }

  add(key: string, begin: Begin): void {
    const work = this.#workOf(key);
    if (work) work.push(begin);
    else this.#clients.set(key, [begin]);
    this.count += 1;
  }

  remove(key: string, begin: Begin): void {
    const work = this.#workOf(key);
    const place = work?.indexOf(begin) ?? -1;
    if (!work || place < 0) return;
    work.splice(place, 1);
    this.count -= 1;
    if (work.length === 0) this.#clients.delete(key);
  }

  take(): Begin | undefined {
    this.#requeueServed();
    const [first] = this.#clients;
    if (first === undefined) return undefined;
    const [key, work] = first;
    const begin = work.shift();
    this.count -= 1;
    this.#clients.delete(key);
    this.#served = { key, work };
    return begin;
  }

  /** Work of a client that begins without waiting. */
  serve(key: string): void {
    this.#requeueServed();
    this.#served = { key, work: [] };
  }

  #workOf(key: string): Begin[] | undefined {
    return this.#served?.key === key ? this.#served.work : this.#clients.get(key);
  }

  #requeueServed(): void {
    const served = this.#served;
    if (served && served.work.length > 0) this.#clients.set(served.key, served.work);
    this.#served = undefined;
  }
}
