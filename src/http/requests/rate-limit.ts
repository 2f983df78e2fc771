/** Rate limits by keys that clients can't choose freely, and the limits that routes use. */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isIPv6 } from "node:net";
import type { RequestHandler } from "express";
import type { NewRateCounter, RateCounter } from "../../adapters/rate-counters.ts";
import { AppError } from "../../errors.ts";
import { findIpv6Network, unmapAddress } from "../../lib/ip-address.ts";
import type { KnownDevice } from "../../services/users/failed-logins.ts";
import { addressOf } from "./request-context.ts";

interface LimitOptions {
  windowMs: number;
  /** Calls per window; 0 disables the limit. */
  limit: number;
}

interface RateLimitOptions extends LimitOptions {
  /** No other limit has it. */
  name: string;
  newCounter: NewRateCounter;
}

export class RateLimit {
  readonly #options: LimitOptions;
  readonly #counter: RateCounter;
  /** Number of calls above the limit. */
  rejected = 0;

  constructor(options: RateLimitOptions) {
    this.#options = options;
    const { name, limit, windowMs, newCounter } = options;
    this.#counter = newCounter({ keyPrefix: name, points: limit, duration: windowMs / 1000 });
  }

  /** Counts a call unless it is rejected. @throws AppError 429 with Retry-After */
  async count(key: string): Promise<void> {
    const { limit, windowMs } = this.#options;
    if (limit === 0) return;
    const { consumedPoints, msBeforeNext } = await this.#counter.penalty(key);
    if (consumedPoints <= limit) return;
    await this.#counter.reward(key);
    this.rejected += 1;
    // The end of a window uses the system clock, which may have been set back: no wait is longer than a window.
    const wait = Math.max(1, Math.ceil(Math.min(msBeforeNext, windowMs) / 1000));
    throw new AppError(429, "too_many_requests", `Too many requests. Try again in ${wait} seconds.`, {
      headers: { "Retry-After": String(wait) },
    });
  }

  /** Removes a counted call. */
  async refund(key: string): Promise<void> {
    if (this.#options.limit === 0) return;
    const { consumedPoints } = await this.#counter.reward(key);
    // Its window is over: the refund must not affect the next one.
    if (consumedPoints < 0) await this.#counter.penalty(key);
  }
}

/** One key per IPv4 address or IPv6 /56 network, which is what one connection usually gets. */
export function addressKey(address: string): string {
  const own = unmapAddress(address);
  return `address ${isIPv6(own) ? findIpv6Network(own, 56) : own}`;
}

/** Hashed, so that a long name needs no more memory than a short one. */
export const accountKey = (name: string): string =>
  `account ${createHash("sha256").update(name).digest("base64")}`;

// The limits that routes use, and how requests count.

const MINUTE = 60_000;

export type LimitName = "login" | "reset" | "submit" | "download" | "search" | "list";

/** The key by which a request counts, after its input was parsed. */
export type CountedBy = { address: string } | { account: string } | { session: string };

/** The client, as limits see it. */
interface Caller {
  address: string;
  /** The browser that has logged in before, if its cookie is valid. */
  findDevice(): Promise<KnownDevice | undefined>;
}

/** One request under one limit. Each method throws 429 if the limit is reached. */
export interface LimitedRequest {
  /** Call it before anything of the request is read. */
  begin(): Promise<void>;
  count(by: CountedBy): Promise<void>;
  /** Call it when the request is finished. @param thrown undefined after a success */
  settle(thrown?: unknown): Promise<void>;
}

export interface Limit {
  /** Number of requests above the limit. */
  readonly rejected: number;
  begin(caller: Caller): LimitedRequest;
}

/** @param perWindow requests per client and window, 0 for no limit: a minute, or 15 minutes for log-ins and what is limited like them */
export function createLimits(
  perWindow: Readonly<Record<Exclude<LimitName, "reset">, number>>,
  newCounter: NewRateCounter,
): Record<LimitName, Limit> {
  const createRequestsLimit = (name: Exclude<LimitName, "login" | "reset">) =>
    new RequestsLimit({ name, windowMs: MINUTE, limit: perWindow[name], newCounter });
  const ofLogins = { windowMs: 15 * MINUTE, limit: perWindow.login, newCounter };
  return {
    login: new GuessLimit({ name: "login", ...ofLogins }),
    // Who has typed too many wrong passwords can still ask for a letter.
    reset: new RequestsLimit({ name: "reset", ...ofLogins }),
    submit: createRequestsLimit("submit"),
    download: createRequestsLimit("download"),
    search: createRequestsLimit("search"),
    list: createRequestsLimit("list"),
  };
}

/** Counts a request by the address of its client alone. @throws AppError 429 */
export const countByAddress = (limit: Limit, address: string): Promise<void> =>
  limit.begin({ address, findDevice: async () => undefined }).begin();

/** Counts every request once, by an address. */
class RequestsLimit implements Limit {
  readonly #rate: RateLimit;

  constructor(options: RateLimitOptions) {
    this.#rate = new RateLimit(options);
  }

  get rejected(): number {
    return this.#rate.rejected;
  }

  begin({ address: own }: Caller): LimitedRequest {
    let isCounted = false;
    const count = async (address: string) => {
      if (isCounted) return;
      isCounted = true;
      await this.#rate.count(addressKey(address));
    };
    return {
      begin: () => count(own),
      count: async (by) => {
        if ("address" in by) await count(by.address);
      },
      settle: async () => undefined,
    };
  }
}

/** The limit per address is this multiple of the limit per account. */
const ACCOUNTS_PER_ADDRESS = 5;

/**
 * Counts failed password guesses. A guess is counted before the password is compared and refunded if it was right, so
 * that concurrent guesses can't exceed the limit. A client can't lock out another user: an account counts together with the
 * client's address, and a browser that has logged in to the account before counts separately.
 */
class GuessLimit implements Limit {
  readonly #address: RateLimit;
  readonly #account: RateLimit;
  readonly #device: RateLimit;
  readonly #session: RateLimit;

  constructor(options: RateLimitOptions) {
    const createRate = (key: string, limit = options.limit) =>
      new RateLimit({ ...options, name: `${options.name}-${key}`, limit });
    this.#address = createRate("address", options.limit * ACCOUNTS_PER_ADDRESS);
    this.#account = createRate("account");
    this.#device = createRate("device");
    this.#session = createRate("session");
  }

  get rejected(): number {
    const all = [this.#address, this.#account, this.#device, this.#session];
    return all.reduce((sum, { rejected }) => sum + rejected, 0);
  }

  begin(caller: Caller): LimitedRequest {
    let read: Promise<KnownDevice | undefined> | undefined;
    const findKnownDevice = () => {
      read ??= caller.findDevice();
      return read;
    };
    const counted = new Map<RateLimit, string>();
    const count = async (rate: RateLimit, key: string) => {
      await rate.count(key);
      counted.set(rate, key);
    };
    const takeBack = async () => {
      for (const [rate, key] of counted) await rate.refund(key);
      counted.clear();
    };
    const countByAddress = () => count(this.#address, addressKey(caller.address));
    return {
      begin: async () => {
        const device = await findKnownDevice();
        await (device ? count(this.#device, device.id) : countByAddress());
      },
      count: async (by) => {
        if ("session" in by) return count(this.#session, by.session);
        if (!("account" in by)) return;
        const device = await findKnownDevice();
        if (await device?.hasLoggedInTo(by.account)) return;
        if (device) {
          await takeBack();
          await countByAddress();
        }
        await count(this.#account, `${addressKey(caller.address)} ${accountKey(by.account)}`);
      },
      settle: async (thrown) => {
        if (!isFailedGuess(thrown)) await takeBack();
      },
    };
  }
}

/** A request that wasn't compared isn't a guess: the limit was reached, or the service was busy. */
const isFailedGuess = (thrown: unknown): boolean =>
  thrown instanceof AppError && thrown.status < 500 && thrown.status !== 429;

// Limits the concurrent requests of a user to one operation, with all sessions and API keys.

export class RequestsAtOnce {
  readonly #running = new Map<string, number>();

  /** @throws AppError 429 if so many requests of the user are running */
  async run<T>(operation: string, max: number, userId: string, work: () => Promise<T>): Promise<T> {
    const key = `${operation} ${userId}`;
    const running = this.#running.get(key) ?? 0;
    if (running >= max) {
      const detail = `At most ${max} of these requests can run at once for a user. Try again when one has ended.`;
      throw new AppError(429, "too_many_requests", detail, { headers: { "Retry-After": "1" } });
    }
    this.#running.set(key, running + 1);
    try {
      return await work();
    } finally {
      const left = (this.#running.get(key) ?? 0) - 1;
      if (left > 0) this.#running.set(key, left);
      else this.#running.delete(key);
    }
  }
}

// Limits the concurrent responses per client: each holds buffers until it is received.

export class OpenResponses {
  readonly #max: number;
  readonly #open = new Map<string, number>();
  /** A response that was kept, and no longer is, is admitted before the router gets its request. */
  readonly #admitted = new WeakSet<ServerResponse>();

  /** @param max per client address, as determined by TRUST_PROXY; 0: unlimited */
  constructor(max: number) {
    this.#max = max;
  }

  /** Counts a response until it is closed. @returns false if the client has too many open ones */
  admit(req: IncomingMessage, res: ServerResponse): boolean {
    if (this.#max === 0 || this.#admitted.has(res)) return true;
    const key = addressKey(addressOf(req));
    const count = this.#open.get(key) ?? 0;
    if (count >= this.#max) return false;
    this.#open.set(key, count + 1);
    this.#admitted.add(res);
    res.once("close", () => {
      const left = (this.#open.get(key) ?? 0) - 1;
      if (left > 0) this.#open.set(key, left);
      else this.#open.delete(key);
    });
    return true;
  }

  readonly limit: RequestHandler = (req, res, next) => {
    if (this.admit(req, res)) return next();
    const detail = `At most ${this.#max} responses can be open per address.`;
    throw new AppError(429, "too_many_responses", detail, { headers: { "Retry-After": "5" } });
  };
}
