/** How often one caller may do one thing. Counted in memory, by keys that a caller can't choose freely. */
import { createHash } from "node:crypto";
import { ipKeyGenerator, MemoryStore, rateLimit } from "express-rate-limit";
import { AppError } from "../errors.ts";

export interface RateLimitOptions {
  windowMs: number;
  /** Calls a window; 0 switches the limit off. */
  limit: number;
}

export class RateLimit {
  readonly #store = new MemoryStore();
  readonly #limit: number;
  #refused = 0;

  constructor({ windowMs, limit }: RateLimitOptions) {
    this.#limit = limit;
    // The middleware is made only to start its store, whose counters are used directly: some keys are in the body.
    if (limit > 0) rateLimit({ windowMs, limit, store: this.#store });
  }

  /** How many calls were above the limit. */
  get refused(): number {
    return this.#refused;
  }

  /** @throws AppError 429 with Retry-After */
  async count(key: string): Promise<void> {
    if (this.#limit === 0) return;
    const { totalHits, resetTime } = await this.#store.increment(key);
    if (totalHits <= this.#limit) return;
    this.#refused += 1;
    const waitSeconds = resetTime ? Math.max(1, Math.ceil((resetTime.getTime() - Date.now()) / 1000)) : 60;
    throw new AppError(429, "too_many_requests", `Too many requests. Try again in ${waitSeconds} seconds.`, {
      headers: { "Retry-After": String(waitSeconds) },
    });
  }
}

/** One key an IPv4 address, one a /56 of IPv6: what one connection is usually given. */
export const addressKey = (address: string): string => `address ${ipKeyGenerator(address)}`;

/** Hashed, so that a long name costs no more memory than a short one. */
export const accountKey = (name: string): string =>
  `account ${createHash("sha256").update(name).digest("base64")}`;
