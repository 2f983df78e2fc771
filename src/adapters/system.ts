/** The time. */
import { randomFillSync, randomInt } from "node:crypto";
import { v7 } from "uuid";

export interface Clock {
  /** Epoch milliseconds, UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

// Work for later.

/** Calls it off. */
export type Cancel = () => void;

/** Runs `work` once, after so many milliseconds: at most 24 days, beyond which Node's timers run at once. */
export type Scheduler = (delayMs: number, work: () => void) => Cancel;

/** Doesn't keep a process alive that has nothing else to do. */
export const systemScheduler: Scheduler = (delayMs, work) => {
  const timer = setTimeout(work, delayMs).unref();
  return () => clearTimeout(timer);
};

// Chance, from the operating system's generator.

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `length` characters out of 62, each equally likely. */
export const randomBase62 = (length: number): string =>
  Array.from({ length }, () => BASE62.charAt(randomInt(BASE62.length))).join("");

/** A whole number from 0 up to, but not including, `limit`. */
export const randomBelow = (limit: number): number => randomInt(limit);

// Identifiers: UUIDv7, which sort in the order in which they were made.

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
