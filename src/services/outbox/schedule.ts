/** When a delivery is tried again. */
import { DAY, HOUR, MINUTE, SECOND } from "../../lib/time.ts";

/** Before each attempt. After the last one a delivery has failed. */
const DELAYS_MS = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** Receivers that were away at the same time aren't all tried again at the same time. */
const MAX_LATER = 0.2;
const MAX_RETRY_AFTER_MS = DAY;

/**
 * How long to wait for the next attempt, in milliseconds; undefined if there is none.
 * @param attempts how many have failed
 * @param random from 0 to 1
 */
export function findDelay(attempts: number, random: number, retryAfterMs = 0): number | undefined {
  const delay = DELAYS_MS[attempts];
  if (delay === undefined) return undefined;
  return Math.max(Math.round(delay * (1 + MAX_LATER * random)), Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}

/** `Retry-After` (RFC 9110, 10.2.3), seconds or a date, in milliseconds from now on; 0 for anything else. */
export function parseRetryAfter(value: string | undefined, now: number): number {
  if (value === undefined) return 0;
  if (/^\d+$/.test(value)) return Number(value) * SECOND;
  // The oldest of the three notations of a date has no zone, but is in UTC (5.6.7).
  const date = Date.parse(/ \d{4}$/.test(value) ? `${value} GMT` : value);
  return Number.isNaN(date) ? 0 : Math.max(date - now, 0);
}
