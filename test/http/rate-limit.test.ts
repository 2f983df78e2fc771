/** The counters of the limits, by the system's clock. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { accountKey, addressKey, RateLimit } from "../../src/http/rate-limit.ts";

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

it("admits as many calls a window as it says, and says how long to wait", async () => {
  const limit = new RateLimit({ windowMs: 60_000, limit: 2 });
  expect(await refusal(limit, "a")).toBeUndefined();
  vi.advanceTimersByTime(10_500);
  expect(await refusal(limit, "a")).toBeUndefined();
  expect(await refusal(limit, "a")).toEqual({ status: 429, wait: 50 });
  vi.advanceTimersByTime(49_499);
  expect(await refusal(limit, "a")).toEqual({ status: 429, wait: 1 });
  vi.advanceTimersByTime(1);
  expect(await refusal(limit, "a")).toBeUndefined();
});

it("counts each key by itself", async () => {
  const limit = new RateLimit({ windowMs: 60_000, limit: 1 });
  expect(await refusal(limit, "a")).toBeUndefined();
  expect(await refusal(limit, "b")).toBeUndefined();
  expect(await refusal(limit, "a")).toMatchObject({ status: 429 });
});

it("admits everything when it is 0", async () => {
  const limit = new RateLimit({ windowMs: 60_000, limit: 0 });
  for (let call = 0; call < 1000; call++) expect(await refusal(limit, "a")).toBeUndefined();
});

it("never takes an account for an address, and keeps keys short", () => {
  expect(accountKey("203.0.113.1")).not.toBe(addressKey("203.0.113.1"));
  expect(accountKey("x".repeat(320)).length).toBeLessThan(64);
  expect(addressKey("2001:db8:1:1ff::1")).toBe(addressKey("2001:db8:1:100::2"));
  expect(addressKey("::ffff:203.0.113.1")).toBe(addressKey("203.0.113.1"));
  expect(addressKey("203.0.113.2")).not.toBe(addressKey("203.0.113.1"));
});
