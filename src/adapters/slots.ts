/** Lets a few pieces of work run at a time; the others wait for their turn, in order. */
import type { AppError } from "../errors.ts";

/** How many may wait, and what those beyond are told; without it everybody may. */
export interface Queue {
  maxWaiting: number;
  refusal: () => AppError;
}

export class Limiter {
  #free: number;
  readonly #queue: Queue | undefined;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number, queue?: Queue) {
    this.#free = count;
    this.#queue = queue;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#turn();
    try {
      return await work();
    } finally {
      // A slot goes from hand to hand, so that nobody who comes just now can jump the queue.
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }

  async #turn(): Promise<void> {
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    if (this.#queue && this.#waiting.length >= this.#queue.maxWaiting) throw this.#queue.refusal();
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
