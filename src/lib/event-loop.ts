/** Lets the event loop run during long work, so that other requests don't wait for its end, and awaits concurrent tasks. */

/** Well below the 50 ms for which the event loop may be blocked, because a step can begin just before the limit. */
const TURN_MS = 10;

/** To call between two steps. Returns a promise to await if the event loop should run. */
export type Yielder = () => Promise<void> | undefined;

export function createYielder(): Yielder {
  let until = performance.now() + TURN_MS;
  const yieldToOthers = async () => {
    await new Promise(setImmediate);
    until = performance.now() + TURN_MS;
  };
  return () => (performance.now() < until ? undefined : yieldToOthers());
}

/** Like `Promise.all`, but settles only when all promises have settled: after an error, none is still running. */
export async function waitForAll<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
