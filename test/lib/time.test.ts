import fc from "fast-check";
import { expect, it } from "vitest";
import { isoTime, isoTimeOrNull } from "../../src/lib/time.ts";

it("writes the same as Date, for every valid time", () => {
  expect(isoTime(0)).toBe("1970-01-01T00:00:00.000Z");
  expect(isoTime(Date.parse("2024-02-29T23:59:59.999Z"))).toBe("2024-02-29T23:59:59.999Z");
  const times = fc.oneof(
    fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 }),
    fc.integer({ min: 0, max: 4_102_444_800_000 }),
  );
  fc.assert(
    fc.property(times, (time) => {
      expect(isoTime(time)).toBe(new Date(time).toISOString());
    }),
    { numRuns: 10_000 },
  );
});

it("rejects values that aren't a time", () => {
  for (const time of [Number.NaN, Infinity, 9_000_000_000_000_000])
    expect(() => isoTime(time)).toThrow(RangeError);
});

it("returns null for no time", () => {
  expect([isoTimeOrNull(null), isoTimeOrNull(0)]).toEqual([null, "1970-01-01T00:00:00.000Z"]);
});
