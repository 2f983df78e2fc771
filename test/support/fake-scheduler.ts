/** A scheduler that uses a test's clock. */
import type { Scheduler } from "../../src/adapters/system.ts";
import type { FakeClock } from "./clock.ts";

export class FakeScheduler {
  readonly #clock: FakeClock;
  readonly #waiting = new Set<{ at: number; work: () => void }>();

  constructor(clock: FakeClock) {
    this.#clock = clock;
  }

  readonly schedule: Scheduler = (delayMs, work) => {
    const waiting = { at: this.#clock.now() + delayMs, work };
    this.#waiting.add(waiting);
    return () => void this.#waiting.delete(waiting);
  };

  /** When each is due, in epoch milliseconds. */
  get due(): number[] {
    return [...this.#waiting].map(({ at }) => at);
  }

  /** Moves the clock; what falls due begins, and isn't waited for. */
  pass(milliseconds: number): void {
    this.#clock.advance(milliseconds);
    for (const waiting of this.#waiting) {
      if (waiting.at > this.#clock.now()) continue;
      this.#waiting.delete(waiting);
      waiting.work();
    }
  }
}
