/** How often one caller may do one thing. Counted by keys that a caller can't choose freely. */
import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import { type RateLimiterAbstract, RateLimiterMemory } from "rate-limiter-flexible";
import { AppError } from "../../errors.ts";
import { unmappedAddress } from "../../lib/ip-address.ts";

/** Where the counts are: in memory, or in any other limiter of rate-limiter-flexible that several processes share. */
export type Counts = Pick<RateLimiterAbstract, "penalty" | "reward">;

export interface RateLimitOptions {
  windowMs: number;
  /** Calls a window; 0 switches the limit off. */
  limit: number;
  createCounts?: (options: { points: number; duration: number }) => Counts;
}

export class RateLimit {
  readonly #counts: Counts;
  readonly #windowMs: number;
  readonly #limit: number;
  #rejected = 0;

  constructor({
    windowMs,
    limit,
    createCounts = (options) => new CountsInMemory(options),
  }: RateLimitOptions) {
    this.#limit = limit;
    this.#windowMs = windowMs;
    this.#counts = createCounts({ points: limit, duration: windowMs / 1000 });
  }

  /** How many calls were above the limit. */
  get rejected(): number {
    return this.#rejected;
  }

  /** Counts one call; a rejected one doesn't count. @throws AppError 429 with Retry-After */
  async count(key: string): Promise<void> {
    if (this.#limit === 0) return;
    const { consumedPoints, msBeforeNext } = await this.#counts.penalty(key);
    if (consumedPoints <= this.#limit) return;
    await this.#counts.reward(key);
    this.#rejected += 1;
    throw tooManyRequests(this.#secondsOf(msBeforeNext));
  }

  /** Takes a counted call back. */
  async refund(key: string): Promise<void> {
    if (this.#limit === 0) return;
    const { consumedPoints } = await this.#counts.reward(key);
    // Its window is over: nothing may be left for the next one.
    if (consumedPoints < 0) await this.#counts.penalty(key);
  }

  /** The end of a window is by the system's clock, which may have been put back: no wait is longer than a window. */
  #secondsOf(waitMs: number): number {
    return Math.max(1, Math.ceil(Math.min(waitMs, this.#windowMs) / 1000));
  }
}

function tooManyRequests(waitSeconds: number): AppError {
  return new AppError(429, "too_many_requests", `Too many requests. Try again in ${waitSeconds} seconds.`, {
    headers: { "Retry-After": String(waitSeconds) },
  });
}

/** More callers in one window than ever come together; a window of these takes less than 10 MB. */
const MAX_KEYS = 20_000;

/**
 * A window ends by a timer, whose time is monotonic, however the system's clock is moved. When there are too many keys, the one
 * that was counted longest ago is forgotten: whoever comes from that many addresses isn't held up by one of them anyway.
 */
class CountsInMemory implements Counts {
  readonly #limiter: RateLimiterMemory;
  /** The longest unused first. */
  readonly #keys = new Set<string>();

  constructor(options: { points: number; duration: number }) {
    this.#limiter = new RateLimiterMemory({ ...options, keyPrefix: "" });
  }

  penalty(key: string) {
    this.#keys.delete(key);
    this.#keys.add(key);
    this.#forgetSurplus();
    return this.#limiter.penalty(key);
  }

  reward = (key: string) => this.#limiter.reward(key);

  #forgetSurplus(): void {
    const [oldest] = this.#keys.size > MAX_KEYS ? this.#keys : [];
    if (oldest === undefined) return;
    this.#keys.delete(oldest);
    void this.#limiter.delete(oldest);
  }
}

/** One key an IPv4 address, one a /56 of IPv6: what one connection is usually given. */
export function addressKey(address: string): string {
  const own = unmappedAddress(address);
  return `address ${isIPv6(own) ? networkOf(own) : own}`;
}

/** The first 56 bits of an IPv6 address. */
function networkOf(address: string): string {
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, "")}]`);
  const [head = "", tail] = hostname.slice(1, -1).split("::");
  const before = groupsIn(head);
  const after = groupsIn(tail ?? "");
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  const [a, b, c, d = 0] = [...before, ...zeros, ...after];
  return [a, b, c, d >> 8].map((group) => group?.toString(16)).join(":");
}

const groupsIn = (text: string): number[] =>
  text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));

/** Hashed, so that a long name costs no more memory than a short one. */
export const accountKey = (name: string): string =>
  `account ${createHash("sha256").update(name).digest("base64")}`;
