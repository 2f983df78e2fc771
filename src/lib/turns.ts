/** Turns: work that takes long lets the event loop go on every few milliseconds, so that nobody waits for its end. */

/** Far below the 50 ms for which nothing may hold the event loop: a step may still begin just before the end. */
const TURN_MS = 10;

/** @returns what is to be called between two steps, and waited for when it answers: others have their turn then */
export function turns(): () => Promise<void> | undefined {
  let until = performance.now() + TURN_MS;
  const lowerThreadPriority = async () => {
    await new Promise(setImmediate);
    until = performance.now() + TURN_MS;
  };
  return () => (performance.now() < until ? undefined : lowerThreadPriority());
}
