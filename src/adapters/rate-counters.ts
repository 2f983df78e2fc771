/** Counters of rate limits: in the memory of the process, or in a database for all instances. */
import { createHmac, hkdfSync } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { RateLimiterRes } from "rate-limiter-flexible";
// The package's index would load the limiters of all stores.
import RateLimiterMemory from "rate-limiter-flexible/lib/RateLimiterMemory.js";
import type { Database, SharedCounterOptions } from "../db/database.ts";
import { countWait } from "../db/request-scope.ts";

/** Both return the points of the key and the time until its window ends. */
export interface RateCounter {
  /** Adds a point. */
  penalty(key: string): Promise<RateLimiterRes>;
  /** Removes a point. */
  reward(key: string): Promise<RateLimiterRes>;
}

type RateCounterOptions = Omit<SharedCounterOptions, "insuranceLimiter">;

export type NewRateCounter = (options: RateCounterOptions) => RateCounter;

/** More clients per window than realistic; the keys take less than 10 MB. */
const MAX_KEYS = 20_000;

/**
 * A window ends by a timer, which is monotonic, so clock changes don't affect it. If there are too many keys, the least
 * recently counted one is removed: a client with that many addresses isn't limited by address anyway.
 */
export class MemoryCounter extends RateLimiterMemory {
  readonly #keys: LRUCache<string, true>;

  constructor(options: RateCounterOptions) {
    super(options);
    const forget = (_: true, key: string, reason: LRUCache.DisposeReason) =>
      reason === "evict" ? void this.delete(key) : undefined;
    // With `max`, each of seven limits would reserve its space at the start, which takes 10 ms.
    this.#keys = new LRUCache({ maxSize: MAX_KEYS, sizeCalculation: () => 1, dispose: forget });
  }

  override penalty(key: string): Promise<RateLimiterRes> {
    this.#keys.set(key, true);
    return super.penalty(key);
  }
}

/**
 * Counters in the database if several instances can use it. While it doesn't respond, each instance counts by itself.
 * The keys are hashed with the secret, because they contain addresses.
 */
export function rateCountersOf(
  database: Pick<Database, "createSharedCounter">,
  secret: string,
): NewRateCounter {
  const hashKey = Buffer.from(hkdfSync("sha256", secret, "", "rate-limits", 32));
  const digestKey = (key: string) => createHmac("sha256", hashKey).update(key).digest("base64url");
  return (options) => {
    const own = new MemoryCounter(options);
    const shared = database.createSharedCounter({ ...options, insuranceLimiter: own });
    if (!shared) return own;
    return {
      penalty: (key) => countWait(() => shared.penalty(digestKey(key))),
      reward: (key) => countWait(() => shared.reward(digestKey(key))),
    };
  };
}
