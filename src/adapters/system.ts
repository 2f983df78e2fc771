/** The clock. */
import { randomBytes, randomFillSync, randomInt, randomUUIDv7 } from "node:crypto";

export interface Clock {
  /** Epoch milliseconds, UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

// Delayed work.

/** Cancels the work. */
export type Cancel = () => void;

/** Runs `work` once after the delay in milliseconds: at most 24 days, because Node runs longer timers immediately. */
export type Scheduler = (delayMs: number, work: () => void) => Cancel;

/** Doesn't keep the process alive. */
export const systemScheduler: Scheduler = (delayMs, work) => {
  const timer = setTimeout(work, delayMs).unref();
  return () => clearTimeout(timer);
};

/** Keeps the process alive, for commands that wait for a service. */
export const pause = (delayMs: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, delayMs);
  });

// Random values from the operating system.

export const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `length` characters from an alphabet of 62, each equally likely. */
export const randomBase62 = (length: number): string =>
  Array.from({ length }, () => BASE62.charAt(randomInt(BASE62.length))).join("");

/** An integer from 0 up to, but not including, `limit`. */
export const randomBelow = (limit: number): number => randomInt(limit);

/** A UUIDv7 for what is sent to others, which also have its time. Rows that are added together are neighbours in an index of it. */
export const messageId = (): string => randomUUIDv7();

/** @returns base64 */
export const randomBase64 = (bytes: number): string => randomBytes(bytes).toString("base64");

/** From 0 up to, but not including, 1. */
export const randomPart = (): number => randomInt(2 ** 32) / 2 ** 32;

// Identifiers: UUIDv7, which sort by time of creation.

export type NewId = () => string;

const BYTES_PER_ID = 16;
/** Requesting random bytes for each id separately costs twenty times as much. */
const IDS_PER_POOL = 256;

/** Ids of the same millisecond, or created after the clock was set back, increment the previous one (RFC 9562, 6.2). */
export function createIdSource(clock: Clock): NewId {
  const pool = Buffer.alloc(BYTES_PER_ID * IDS_PER_POOL);
  let used = pool.length;
  let msecs = 0;
  let seq = 0;
  return function newId() {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const random = pool.subarray(used, used + BYTES_PER_ID);
    used += BYTES_PER_ID;
    const now = clock.now();
    if (now > msecs) {
      msecs = now;
      // Leaves room for increments: the highest bit is clear.
      seq = random.readUInt32BE(0) >>> 1;
    } else seq += 1;
    return formatUuid7(msecs, seq, random);
  };
}

/** RFC 9562, 5.7: the time, a number of 31 bits that counts within it, and random bits. */
function formatUuid7(msecs: number, seq: number, random: Buffer): string {
  random.writeUIntBE(msecs, 0, 6);
  random.writeUInt16BE(0x7000 | (seq >>> 20), 6);
  random.writeUInt16BE(0x8000 | ((seq >>> 6) & 0x3fff), 8);
  random.writeUInt8(((seq & 0x3f) << 2) | (random.readUInt8(10) & 3), 10);
  const digits = random.toString("hex");
  return GROUPS.map(([start, end]) => digits.slice(start, end)).join("-");
}

/** Of the hexadecimal digits of a UUID. */
const GROUPS = [
  [0, 8],
  [8, 12],
  [12, 16],
  [16, 20],
  [20, 32],
] as const;
