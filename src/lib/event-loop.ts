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
    for (const [one = [], other = []] of splitIntoBatches(batches, 2))
      merged.push(await mergeInTurns(one, other, { compare, yieldToEventLoop }));
    batches = merged;
  }
  return batches[0] ?? [];
}

interface Merge<T> {
  compare(one: T, other: T): number;
  yieldToEventLoop: Yielder;
}

/** Of two sorted lists; equal items of the first come first. The last merge has all items, so it yields, too. */
async function mergeInTurns<T>(
  one: readonly T[],
  other: readonly T[],
  { compare, yieldToEventLoop }: Merge<T>,
): Promise<T[]> {
  const merged: T[] = [];
  let next = 0;
  for (const item of one) {
    for (let rival = other[next]; next < other.length && rival !== undefined; rival = other[next]) {
      if (compare(item, rival) <= 0) break;
      merged.push(rival);
      next += 1;
    }
    merged.push(item);
    if (merged.length % 100 < 2) await yieldToEventLoop();
  }
  return [...merged, ...other.slice(next)];
}

const WRITTEN_AT_ONCE = 1000;

/** `JSON.stringify` of a value whose long lists are directly in an object: ten megabytes take longer than a turn. */
export async function stringifyInTurns(value: unknown): Promise<string> {
  if (typeof value !== "object" || value === null || !Object.values(value).some(isLongList))
    return JSON.stringify(value);
  const yieldToEventLoop = createYielder();
  const members: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (!isLongList(member)) {
      const text: string | undefined = JSON.stringify(member);
      if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
      continue;
    }
    const batches: string[] = [];
    for (const batch of splitIntoBatches(member, WRITTEN_AT_ONCE)) {
      await yieldToEventLoop();
      batches.push(JSON.stringify(batch).slice(1, -1));
    }
    members.push(`${JSON.stringify(name)}:[${batches.join()}]`);
  }
  return `{${members.join()}}`;
}

const isLongList = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.length > WRITTEN_AT_ONCE;

/** Like `Promise.all`, but settles only when all promises have settled: after an error, none is still running. */
export async function waitForAll<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
