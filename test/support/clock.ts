/** A clock that stands still until a test moves it. */
import type { Clock } from "../../src/adapters/system.ts";

export class FakeClock implements Clock {
  #now: number;

  constructor(start = "2026-03-01T12:00:00.000Z") {
    this.#now = Date.parse(start);
  }

  now(): number {
    return this.#now;
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}
