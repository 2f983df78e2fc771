/** Identifiers: UUIDv7, which sort by the time they were made. */
import { randomFillSync } from "node:crypto";
import { v7 } from "uuid";
import type { Clock } from "./clock.ts";

export type NewId = () => string;

const BYTES_AN_ID = 16;
/** Asking the operating system for each id by itself costs twenty times as much. */
const IDS_A_POOL = 256;

export function idsFrom(clock: Clock): NewId {
  const pool = Buffer.alloc(BYTES_AN_ID * IDS_A_POOL);
  let used = pool.length;
  return function newId() {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const random = pool.subarray(used, used + BYTES_AN_ID);
    used += BYTES_AN_ID;
    return v7({ msecs: clock.now(), random });
  };
}
