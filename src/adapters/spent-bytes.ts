/** Keeps small what large transfers leave in memory: buffers whose bytes have gone on. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const COLLECTED_EVERY_BYTES = 8 * 1024 * 1024;

let collectYoungest: (() => void) | undefined;
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
  collectYoungest ??= collector();
  collectYoungest();
}

/** Node hands out the collector only on request, and then to new contexts. Without it nothing is collected early. */
function collector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: (() => void) | undefined = runInNewContext(
    "globalThis.gc?.bind(undefined, { type: 'minor' })",
  );
  setFlagsFromString("--no-expose-gc");
  return collect ?? (() => {});
}
