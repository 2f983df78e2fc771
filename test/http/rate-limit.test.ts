/** The counters of the limits, and what may move the time under them. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { MemoryCounter, type NewRateCounter } from "../../src/adapters/rate-counters.ts";
import { accountKey, addressKey, RateLimit } from "../../src/http/requests/rate-limit.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const newCounter: NewRateCounter = (options) => new MemoryCounter(options);
const OWN = { name: "test", newCounter };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const refusal = async (
  limit: RateLimit,
  key: string,
): Promise<{ status: number; wait: number } | undefined> =>
  limit.count(key).then(
    () => undefined,
    ({ status, headers }) => ({ status, wait: Number(headers["Retry-After"]) }),
  );

it("admits the configured number of calls per window, and returns the time to wait", async () => {
  const limit = new RateLimit({ ...OWN, windowMs: MINUTE, limit: 2 });
  expect(await refusal(limit, "a")).toBeUndefined();
  vi.advanceTimersByTime(10_500);
  expect(await refusal(limit, "a")).toBeUndefined();
  expect(await refusal(limit, "a")).toEqual({ status: 429, wait: 50 });
  vi.advanceTimersByTime(49_499);
  expect(await refusal(limit, "a")).toEqual({ status: 429, wait: 1 });
  vi.advanceTimersByTime(1);
  expect(await refusal(limit, "a")).toBeUndefined();
  expect(limit.rejected).toBe(2);
});

it("lasts no longer if the clock is set back, and never returns more than a window", async () => {
  const limit = new RateLimit({ ...OWN, windowMs: MINUTE, limit: 1 });
  expect(await refusal(limit, "a")).toBeUndefined();
  vi.setSystemTime(Date.now() - DAY);
  for (let attempt = 0; attempt < 3; attempt++) {
    expect(await refusal(limit, "a")).toEqual({ status: 429, wait: 60 });
    vi.advanceTimersByTime(MINUTE / 4);
  }
  vi.advanceTimersByTime(MINUTE / 4);
  expect(await refusal(limit, "a")).toBeUndefined();
});

it("counts each key separately", async () => {
  const limit = new RateLimit({ ...OWN, windowMs: MINUTE, limit: 1 });
  expect(await refusal(limit, "a")).toBeUndefined();
  expect(await refusal(limit, "b")).toBeUndefined();
  expect(await refusal(limit, "a")).toMatchObject({ status: 429 });
});

it("doesn't count calls that are taken back or rejected", async () => {
  const limit = new RateLimit({ ...OWN, windowMs: MINUTE, limit: 2 });
  const calls = ["a", "a", "a", "a"];
  expect((await Promise.all(calls.map((key) => refusal(limit, key)))).filter(Boolean).length).toBe(2);
  await limit.refund("a");
  expect(await refusal(limit, "a")).toBeUndefined();
  expect(await refusal(limit, "a")).toMatchObject({ status: 429 });
});

it("takes back nothing from the next window", async () => {
  const limit = new RateLimit({ ...OWN, windowMs: MINUTE, limit: 1 });
  expect(await refusal(limit, "a")).toBeUndefined();
  vi.advanceTimersByTime(MINUTE);
  await limit.refund("a");
  expect(await refusal(limit, "a")).toBeUndefined();
  expect(await refusal(limit, "a")).toMatchObject({ status: 429 });
});

it("remembers 20,000 keys, those that were counted last", async () => {
  const limit = new RateLimit({ ...OWN, windowMs: MINUTE, limit: 1 });
  expect(await refusal(limit, "first")).toBeUndefined();
  expect(await refusal(limit, "second")).toBeUndefined();
  for (let key = 0; key < 19_998; key++) await limit.count(`other ${key}`);
  // Asked again, it is no longer the one that was counted longest ago.
  expect(await refusal(limit, "first")).toMatchObject({ status: 429 });
  const timers = vi.getTimerCount();
  await limit.count("one more");
  expect(vi.getTimerCount()).toBe(timers);
  expect(await refusal(limit, "first")).toMatchObject({ status: 429 });
  expect(await refusal(limit, "second")).toBeUndefined();
});

it("admits everything if it is 0", async () => {
  const limit = new RateLimit({ ...OWN, windowMs: MINUTE, limit: 0 });
  for (let call = 0; call < 1000; call++) expect(await refusal(limit, "a")).toBeUndefined();
});

it("never confuses an account with an address, and keeps keys short", () => {
  expect(accountKey("203.0.113.1")).not.toBe(addressKey("203.0.113.1"));
  expect(accountKey("x".repeat(320)).length).toBeLessThan(64);
});

it("counts a /56 of IPv6 as one address, regardless of its spelling, and each of IPv4 separately", () => {
  const same = [
    ["203.0.113.1", "::ffff:203.0.113.1", "::FFFF:cb00:7101"],
    ["2001:db8:1:1ff::1", "2001:db8:1:100::2", "2001:0DB8:0001:0100:0:0:0:9"],
    ["1::a:b:c:d:e", "1:0:0:a:ffff:c:d:e", "1:0:0:ff::"],
    ["::1", "0:0:0:0:0:0:0:2"],
    ["fe80::1%eth0", "fe80::2"],
  ];
  const keys = same.map((addresses) => [...new Set(addresses.map(addressKey))]);
  expect(keys.map(({ length }) => length)).toEqual(same.map(() => 1));
  const apart = ["203.0.113.2", "2001:db8:1:200::1", "2001:db8:2:100::1", "1:0:0:100::1", "1:0:1:a::"];
  const all = [...keys.flat(), ...apart.map(addressKey)];
  expect(new Set(all).size).toBe(same.length + apart.length);
});
