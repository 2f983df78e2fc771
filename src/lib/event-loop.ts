/** Lets the event loop run during long work, so that other requests don't wait for its end, and awaits concurrent tasks. */
import { splitIntoBatches } from "./collections.ts";

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

/** Like `map`. */
export async function mapInTurns<T, R>(items: Iterable<T>, map: (item: T) => R): Promise<R[]> {
  const yieldToEventLoop = createYielder();
  const mapped: R[] = [];
  for (const item of items) {
    await yieldToEventLoop();
    mapped.push(map(item));
  }
  return mapped;
}

const SORTED_AT_ONCE = 1000;

/** Like `toSorted`: sorts batches and merges them, because sorting fifty thousand names takes longer than a turn. */
export async function sortInTurns<T>(
  items: readonly T[],
  compare: (one: T, other: T) => number,
): Promise<T[]> {
  const yieldToEventLoop = createYielder();
  let batches = splitIntoBatches(items, SORTED_AT_ONCE);
  for (const batch of batches) {
    await yieldToEventLoop();
    batch.sort(compare);
  }
  while (batches.length > 1) {
    const merged: T[][] = [];
    for (const pair of splitIntoBatches(batches, 2)) {
      await yieldToEventLoop();
      // The sort of V8 finds sorted parts and merges them.
      merged.push(pair.flat().sort(compare));
    }
    batches = merged;
  }
  return batches[0] ?? [];
}

/** Like `Promise.all`, but settles only when all promises have settled: after an error, none is still running. */
export async function waitForAll<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
