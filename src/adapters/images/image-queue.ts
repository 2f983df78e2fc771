/** Queues image processing: one image at a time, fairly among clients. */
import { type AppError, unavailable } from "../../errors.ts";

/**
 * The client that requests an image. Readers are identified by a key that they can't choose freely, such as their
 * address.
 */
export type ImageClient = { kind: "administrator" } | { kind: "reader"; key: string };

/** More than the uncached covers of one page. */
const MAX_OF_ONE = 50;
const MAX_OF_ALL_READERS = 500;

export const IMAGES_BUSY = "images_busy";

type Begin = () => void;

/**
 * Alternates between administrators and readers, and rotates among readers, so that between two images of one client
 * each other client gets at most one.
 */
export class ImageQueue {
  #isBusy = false;
  readonly #administrators: Begin[] = [];
  /** In round-robin order: a Map keeps the order of insertion. */
  readonly #readers = new Map<string, Begin[]>();
  #readersWaiting = 0;
  #wasReader = false;

  /** Throws 503 `images_busy` with Retry-After if too many images are waiting. */
  async run<T>(client: ImageClient, work: () => Promise<T>): Promise<T> {
    if (this.#isBusy) await this.#waitForTurn(client);
    else this.#wasReader = client.kind === "reader";
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

  #waitForTurn(client: ImageClient): Promise<void> {
    const own =
      client.kind === "administrator" ? this.#administrators : (this.#readers.get(client.key) ?? []);
    const isReader = client.kind === "reader";
    if (own.length >= MAX_OF_ONE || (isReader && this.#readersWaiting >= MAX_OF_ALL_READERS)) throw busy();
    if (isReader) {
      this.#readers.set(client.key, own);
      this.#readersWaiting += 1;
    }
    return new Promise((resolve) => own.push(resolve));
  }

  #takeNext(): Begin | undefined {
    const administrator =
      this.#wasReader || this.#readersWaiting === 0 ? this.#administrators.shift() : undefined;
    this.#wasReader = administrator === undefined;
    return administrator ?? this.#takeNextReader();
  }

  #takeNextReader(): Begin | undefined {
    const [first] = this.#readers;
    if (first === undefined) return undefined;
    const [key, waiting] = first;
    this.#readers.delete(key);
    const begin = waiting.shift();
    this.#readersWaiting -= 1;
    if (waiting.length > 0) this.#readers.set(key, waiting);
    return begin;
  }
}

const busy = (): AppError =>
  unavailable(IMAGES_BUSY, "Too many images are being processed. Try again shortly.", {
    headers: { "Retry-After": "2" },
  });
