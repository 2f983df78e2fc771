/** The limits that routes name, and how a request counts against them. */
import type { RequestHandler } from "express";
import { AppError } from "../../errors.ts";
import type { KnownDevice } from "../../services/users/failed-logins.ts";
import { accountKey, addressKey, RateLimit } from "./rate-limit.ts";
import { addressOf } from "./request-context.ts";

const MINUTE = 60_000;

export const LIMIT_NAMES = ["login", "submit", "download", "search"] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];

/** By what a request counts once its input is known. */
export type CountedBy = { address: string } | { account: string } | { session: string };

/** Who calls, as far as a limit looks at it. */
export interface Caller {
  address: string;
  /** The browser that has logged in before, if its cookie is genuine. */
  device(): KnownDevice | undefined;
}

/** One request and one limit. Each method throws 429 when the limit is reached. */
export interface LimitedRequest {
  /** Before anything of the request is read. */
  begin(): Promise<void>;
  count(by: CountedBy): Promise<void>;
  /** Once the request is over. @param thrown undefined after a success */
  settle(thrown?: unknown): Promise<void>;
}

export interface Limit {
  /** How many requests were above it. */
  readonly rejected: number;
  of(caller: Caller): LimitedRequest;
}

/** @param perWindow requests a caller and window, 0 for no limit: a minute, for log-ins 15 minutes */
export const createLimits = (perWindow: Readonly<Record<LimitName, number>>): Record<LimitName, Limit> => ({
  login: new GuessLimit({ windowMs: 15 * MINUTE, limit: perWindow.login }),
  submit: new RequestsLimit({ windowMs: MINUTE, limit: perWindow.submit }),
  download: new RequestsLimit({ windowMs: MINUTE, limit: perWindow.download }),
  search: new RequestsLimit({ windowMs: MINUTE, limit: perWindow.search }),
});

interface LimitOptions {
  windowMs: number;
  limit: number;
}

/** Every request counts, by an address. */
class RequestsLimit implements Limit {
  readonly #rate: RateLimit;

  constructor(options: LimitOptions) {
    this.#rate = new RateLimit(options);
  }

  get rejected(): number {
    return this.#rate.rejected;
  }

  of({ address: own }: Caller): LimitedRequest {
    return {
      begin: () => this.#rate.count(addressKey(own)),
      count: async (by) => {
        if ("address" in by) await this.#rate.count(addressKey(by.address));
      },
      settle: async () => undefined,
    };
  }
}

/** How many accounts one address may fail at as often as at one. */
const ACCOUNTS_PER_ADDRESS = 5;

/**
 * Guesses at passwords: only those that fail count. A guess is counted before the password is compared and taken back when it was right, so
 * that many at once don't get past the limit. A stranger can't lock anybody out: an account counts together with the address
 * that guesses, and a browser that has logged in to the account before counts by itself.
 */
class GuessLimit implements Limit {
  readonly #address: RateLimit;
  readonly #account: RateLimit;
  readonly #device: RateLimit;
  readonly #session: RateLimit;

  constructor({ windowMs, limit }: LimitOptions) {
    this.#address = new RateLimit({ windowMs, limit: limit * ACCOUNTS_PER_ADDRESS });
    this.#account = new RateLimit({ windowMs, limit });
    this.#device = new RateLimit({ windowMs, limit });
    this.#session = new RateLimit({ windowMs, limit });
  }

  get rejected(): number {
    const all = [this.#address, this.#account, this.#device, this.#session];
    return all.reduce((sum, { rejected }) => sum + rejected, 0);
  }

  of(caller: Caller): LimitedRequest {
    const device = caller.device();
    const counted = new Map<RateLimit, string>();
    const count = async (rate: RateLimit, key: string) => {
      await rate.count(key);
      counted.set(rate, key);
    };
    const takeBack = async () => {
      for (const [rate, key] of counted) await rate.refund(key);
      counted.clear();
    };
    const byAddress = () => count(this.#address, addressKey(caller.address));
    return {
      begin: () => (device ? count(this.#device, device.id) : byAddress()),
      count: async (by) => {
        if ("session" in by) return count(this.#session, by.session);
        if (!("account" in by) || (await device?.hasLoggedInTo(by.account))) return;
        if (device) {
          await takeBack();
          await byAddress();
        }
        await count(this.#account, `${addressKey(caller.address)} ${accountKey(by.account)}`);
      },
      settle: async (thrown) => {
        if (!isFailedGuess(thrown)) await takeBack();
      },
    };
  }
}

/** What wasn't even compared is none: the limit was reached, or the service was busy. */
const isFailedGuess = (thrown: unknown): boolean =>
  thrown instanceof AppError && thrown.status < 500 && thrown.status !== 429;

// How many responses one caller may have under way at a time: each holds buffers for as long as it isn't taken.

/** @param max of one client address, as TRUST_PROXY says; 0 for any number */
export function limitOpenResponses(max: number): RequestHandler {
  const open = new Map<string, number>();
  return function countOpenResponse(req, res, next) {
    if (max === 0) return next();
    const key = addressKey(addressOf(req));
    const count = open.get(key) ?? 0;
    if (count >= max) {
      throw new AppError(429, "too_many_responses", `At most ${max} responses can be open per address.`, {
        headers: { "Retry-After": "5" },
      });
    }
    open.set(key, count + 1);
    res.once("close", () => {
      const left = (open.get(key) ?? 0) - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    });
    next();
  };
}
