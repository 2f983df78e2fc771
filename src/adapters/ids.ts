/** Identifiers: UUIDv7, which sort in the order in which they were made. */
import { randomFillSync } from "node:crypto";
import { v7 } from "uuid";
import type { Clock } from "./clock.ts";

export type NewId = () => string;

const BYTES_AN_ID = 16;
/** Asking the operating system for each id by itself costs twenty times as much. */
const IDS_A_POOL = 256;

/** Ids of the same millisecond, or made after the clock was set back, count on from the last one (RFC 9562, 6.2). */
export function idsFrom(clock: Clock): NewId {
  const pool = Buffer.alloc(BYTES_AN_ID * IDS_A_POOL);
  let used = pool.length;
  let msecs = -1;
  let seq = 0;
  return function newId() {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const random = pool.subarray(used, used + BYTES_AN_ID);
    used += BYTES_AN_ID;
    const now = clock.now();
    if (now > msecs) {
      msecs = now;
      // Room to count on: the highest bit is free.
      seq = random.readUInt32BE(0) >>> 1;
    } else seq += 1;
    return v7({ msecs, seq, random });
  };
}
