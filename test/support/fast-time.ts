/** Time that passes faster, for what gives up after seconds by `performance.now()`: timers take as long as ever. */
import { onTestFinished, vi } from "vitest";

/** @param times as fast, from now to the end of the test */
export function passTimeFaster(times: number): void {
  const now = performance.now.bind(performance);
  const begin = now();
  const fast = vi.spyOn(performance, "now").mockImplementation(() => begin + (now() - begin) * times);
  onTestFinished(() => fast.mockRestore());
}
