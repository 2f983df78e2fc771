/** Keeps small what large transfers and exports leave in memory, by V8's own collector at the right moment. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const COLLECTED_EVERY_BYTES = 8 * 1024 * 1024;

let collect: (() => void) | undefined;
let uncollectedBytes = 0;

/**
 * To be told of bytes that went through buffers made for them alone. These lie outside of V8's heap; by itself it
 * lets 64 MiB of them gather, and more while it marks what is still in use. Collecting the youngest time and again
 * takes a millisecond each and spares the marking.
 */
export function countSpentBytes(bytes: number): void {
  uncollectedBytes += bytes;
  if (uncollectedBytes < COLLECTED_EVERY_BYTES) return;
  uncollectedBytes = 0;
  collectYoungest();
}

/**
 * Collects what this thread has made last, at a moment when it has no more use for it. V8 by itself comes at any
 * moment, and takes what is in use just then for something that stays.
 */
export function collectYoungest(): void {
  collect ??= collector();
  collect();
}

/** Node hands out the collector only on request, and then to new contexts. Without it nothing is collected early. */
function collector(): () => void {
  // It is the whole process's, and not taken back: another thread may have asked at the same moment.
  setFlagsFromString("--expose-gc");
  const given: (() => void) | undefined = runInNewContext(
    "globalThis.gc?.bind(undefined, { type: 'minor' })",
  );
  return given ?? (() => {});
}
