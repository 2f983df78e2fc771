/** Days, weeks, months and years in time zones. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  dayOf,
  formatZonedTime,
  GRANULARITIES,
  type Granularity,
  isTimeZone,
  iteratePeriods,
} from "../../src/lib/calendar.ts";

const HOUR = 3_600_000;

/** The periods from one instant to another: first day and length in hours. */
function periods(timezone: string, granularity: Granularity, from: string, until: string) {
  const range = { from: Date.parse(from), until: Date.parse(until) };
  return iteratePeriods(range, granularity, timezone)
    .map(({ date, start, end }) => [date, (end - start) / HOUR])
    .toArray();
}

describe("the periods of a range", () => {
  it("are days of 23, 24 and 25 hours", () => {
    expect(periods("Europe/Berlin", "day", "2026-03-28T12:00Z", "2026-03-30T12:00Z")).toEqual([
      ["2026-03-28", 24],
      ["2026-03-29", 23],
      ["2026-03-30", 24],
    ]);
    expect(periods("Europe/Berlin", "day", "2026-10-24T12:00Z", "2026-10-26T12:00Z")).toEqual([
      ["2026-10-24", 24],
      ["2026-10-25", 25],
      ["2026-10-26", 24],
    ]);
    expect(periods("America/St_Johns", "day", "2026-03-08T03:29Z", "2026-03-08T03:31Z")).toEqual([
      ["2026-03-07", 24],
      ["2026-03-08", 23],
    ]);
  });

  it("include those that are partly within the range", () => {
    // On Kiritimati the year begins when it is ten o'clock of the old one in UTC.
    const edge = "2025-12-31T10:00:00.000Z";
    const before = "2025-12-31T09:59:59.999Z";
    const after = "2025-12-31T10:00:00.001Z";
    const dates = (granularity: Granularity, from: string, until: string) =>
      periods("Pacific/Kiritimati", granularity, from, until).map(([date]) => date);
    for (const [granularity, old, young] of [
      ["day", "2025-12-31", "2026-01-01"],
      ["month", "2025-12-01", "2026-01-01"],
      ["year", "2025-01-01", "2026-01-01"],
    ] as const) {
      expect(dates(granularity, before, edge)).toEqual([old]);
      expect(dates(granularity, before, after)).toEqual([old, young]);
      expect(dates(granularity, edge, after)).toEqual([young]);
      expect(dates(granularity, edge, edge)).toEqual([]);
    }
    // New Year 2026 is a Thursday: its week began in the old year.
    expect(dates("week", before, after)).toEqual(["2025-12-29"]);
  });

  it("are weeks from Monday", () => {
    expect(periods("Europe/Berlin", "week", "2026-03-22T22:59Z", "2026-03-30T12:00Z")).toEqual([
      ["2026-03-16", 168],
      ["2026-03-23", 167],
      ["2026-03-30", 168],
    ]);
    expect(periods("UTC", "week", "1970-01-01T00:00Z", "1970-01-02T00:00Z")).toEqual([["1969-12-29", 168]]);
  });

  it("are months and years of their own lengths", () => {
    expect(periods("UTC", "month", "2024-01-31T23:00Z", "2024-03-01T01:00Z")).toEqual([
      ["2024-01-01", 31 * 24],
      ["2024-02-01", 29 * 24],
      ["2024-03-01", 31 * 24],
    ]);
    expect(periods("America/St_Johns", "month", "2026-03-31T12:00Z", "2026-03-31T12:01Z")).toEqual([
      ["2026-03-01", 31 * 24 - 1],
    ]);
    expect(periods("UTC", "year", "2024-06-01T00:00Z", "2025-06-01T00:00Z")).toEqual([
      ["2024-01-01", 366 * 24],
      ["2025-01-01", 365 * 24],
    ]);
  });

  it("exclude the day that Samoa skipped", () => {
    expect(periods("Pacific/Apia", "day", "2011-12-29T12:00Z", "2011-12-31T00:00Z")).toEqual([
      ["2011-12-29", 24],
      ["2011-12-31", 24],
    ]);
    expect(periods("Pacific/Apia", "week", "2011-12-30T00:00Z", "2011-12-30T12:00Z")).toEqual([
      ["2011-12-26", 144],
    ]);
  });

  it("are contiguous, and show their first day in local time", () => {
    const zone = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
    const from = fc.integer({ min: Date.UTC(1970, 0), max: Date.UTC(2060, 0) });
    const hours = fc.integer({ min: 1, max: 24 * 400 });
    fc.assert(
      fc.property(
        zone,
        fc.constantFrom(...GRANULARITIES),
        from,
        hours,
        (timezone, granularity, from, hours) => {
          const until = from + hours * HOUR;
          const found = iteratePeriods({ from, until }, granularity, timezone).toArray();
          expect(found[0]?.start).toBeLessThanOrEqual(from);
          expect(found[0]?.end).toBeGreaterThan(from);
          expect(found.at(-1)?.start).toBeLessThan(until);
          expect(found.at(-1)?.end).toBeGreaterThanOrEqual(until);
          expect(found.slice(1).map(({ start }) => start)).toEqual(found.slice(0, -1).map(({ end }) => end));
          const clock = new Intl.DateTimeFormat("sv-SE", { timeZone: timezone, dateStyle: "short" });
          // A first day that the calendar left out has no time on the clock: the next one has.
          for (const { date, start } of found) expect(clock.format(start) >= date).toBe(true);
          for (const { date, start } of found) expect(clock.format(start - 1) < date).toBe(true);
        },
      ),
    );
  });

  it("begin with the day that has begun when the clock is set back over midnight", () => {
    // One minute after midnight the clock of Newfoundland shows 23:01 of Saturday once more.
    for (const time of ["2010-11-07T02:30Z", "2010-11-07T02:31Z", "2010-11-07T03:30Z"])
      expect(dayOf(Date.parse(time), "America/St_Johns").toString()).toBe("2010-11-07");
    expect(dayOf(Date.parse("2010-11-07T02:29:59.999Z"), "America/St_Johns").toString()).toBe("2010-11-06");
  });
});

it("a time zone is any that this Node supports", () => {
  expect(Intl.supportedValuesOf("timeZone").filter((name) => !isTimeZone(name))).toEqual([]);
  expect(isTimeZone("Mars/Base")).toBe(false);
  expect(isTimeZone("2026-01-01T00:00Z[Europe/Berlin]")).toBe(false);
});

describe("zonedTime", () => {
  it("is the same instant in any zone, also around changes of the clock", () => {
    const times = fc.oneof(
      fc.integer({ min: Date.UTC(1973, 0), max: Date.UTC(2060, 0) }),
      fc.integer({ min: -3_600_000, max: 3_600_000 }).map((more) => Date.UTC(2026, 2, 29, 1) + more),
    );
    const names = fc.constantFrom("UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kathmandu");
    fc.assert(
      fc.property(times, names, (at, name) => {
        const text = formatZonedTime(at, name);
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/);
        expect(Date.parse(text)).toBe(at);
      }),
    );
  });

  it("equals the local time of the zone", () => {
    const berlin = "Europe/Berlin";
    expect(formatZonedTime(Date.UTC(2026, 9, 25, 0, 30), berlin)).toBe("2026-10-25T02:30:00.000+02:00");
    expect(formatZonedTime(Date.UTC(2026, 9, 25, 1, 30), berlin)).toBe("2026-10-25T02:30:00.000+01:00");
    expect(formatZonedTime(0, "America/New_York")).toBe("1969-12-31T19:00:00.000-05:00");
    expect(formatZonedTime(0, undefined)).toBe("1970-01-01T00:00:00.000Z");
  });
});
