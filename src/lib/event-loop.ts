/** Lets the event loop run during long work, so that other requests don't wait for its end. */

/** Well below the 50 ms for which the event loop may be blocked, because a step can begin just before the limit. */
const TURN_MS = 10;

/** @returns a function to call between two steps, which returns a promise to await if the event loop should run */
export function createYielder(): () => Promise<void> | undefined {
  let until = performance.now() + TURN_MS;
  const yieldToOthers = async () => {
    await new Promise(setImmediate);
    until = performance.now() + TURN_MS;
  };
  return () => (performance.now() < until ? undefined : yieldToOthers());
}
