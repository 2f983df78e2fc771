/** Long work: lets the event loop run during it, so that other requests don't wait for its end; and waits for several works. */

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

/** Like `Promise.all`, but only when all have ended: none goes on after the first one has failed. */
export async function allEnded<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
