/** Waits for what a real server, store or process does. */
import { vi } from "vitest";

interface Options {
  /** In milliseconds, as the interval. */
  timeout?: number;
  interval?: number;
}

/** Tries until it doesn't throw, as long as `expect.poll`. `vi.waitFor` gives up after a second: too short on a busy machine. */
export const eventually = <T>(
  work: () => T | Promise<T>,
  { timeout = 60_000, interval = 50 }: Options = {},
): Promise<T> => vi.waitFor(work, { timeout, interval });
