/** Dates in queries: whole days in any zone, instants, and every error. */
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DateQuery, type DateRange, parseDateRange } from "../../src/lib/date-range.ts";
import { readPrinted } from "../support/run-cli.ts";

const HOUR = 3_600_000;

function rangeOf(query: DateQuery): DateRange {
  const result = parseDateRange(query);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.range;
}

function errorsOf(query: DateQuery): string[] {
  const result = parseDateRange(query);
  return result.ok ? [] : result.errors.map(({ path, code }) => `${path}: ${code}`);
}

/** A single day as ISO times of its two borders, and its length in hours. */
function dayIn(timezone: string, day: string): [from: string, until: string, hours: number] {
  const { from = Number.NaN, until = Number.NaN } = rangeOf({ startDate: day, endDate: day, timezone });
  return [
    new Date(from).toISOString().slice(0, 16),
    new Date(until).toISOString().slice(0, 16),
    (until - from) / HOUR,
  ];
}

describe("dateRange", () => {
  it("is open if no date is given, in UTC", () => {
    expect(parseDateRange({})).toEqual({ ok: true, range: {} });
    expect(rangeOf({ startDate: "2026-01-01" })).toEqual({ from: Date.UTC(2026, 0, 1) });
    expect(rangeOf({ endDate: "2026-01-31" })).toEqual({ until: Date.UTC(2026, 1, 1) });
  });

  it.each([
    ["UTC", "2026-01-31", "2026-01-31T00:00", "2026-02-01T00:00", 24],
    ["UTC", "2024-02-29", "2024-02-29T00:00", "2024-03-01T00:00", 24],
    ["UTC", "1970-01-01", "1970-01-01T00:00", "1970-01-02T00:00", 24],
    ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00", "2026-03-29T22:00", 23],
    ["Europe/Berlin", "2026-10-25", "2026-10-24T22:00", "2026-10-25T23:00", 25],
    ["Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:00", "2026-04-05T13:30", 24.5],
    ["Pacific/Kiritimati", "2026-01-01", "2025-12-31T10:00", "2026-01-01T10:00", 24],
    ["Asia/Kathmandu", "2026-01-01", "2025-12-31T18:15", "2026-01-01T18:15", 24],
    ["America/St_Johns", "2026-03-08", "2026-03-08T03:30", "2026-03-09T02:30", 23],
    // The clock went from 24:00 to 01:00: the day has no midnight.
    ["America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00", "2018-11-05T02:00", 23],
    ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00", "2026-04-24T21:00", 23],
    ["America/Havana", "2026-03-08", "2026-03-08T05:00", "2026-03-09T04:00", 23],
    // The clock went back over midnight: the day begins when its date first shows.
    ["America/St_Johns", "2010-11-07", "2010-11-07T02:30", "2010-11-08T03:30", 25],
    ["America/Sao_Paulo", "2019-02-16", "2019-02-16T02:00", "2019-02-17T03:00", 25],
    // Samoa left out 30 December 2011.
    ["Pacific/Apia", "2011-12-29", "2011-12-29T10:00", "2011-12-30T10:00", 24],
    ["Pacific/Apia", "2011-12-30", "2011-12-30T10:00", "2011-12-30T10:00", 0],
    ["Pacific/Apia", "2011-12-31", "2011-12-30T10:00", "2011-12-31T10:00", 24],
  ])("in %s the day %s goes from %s to %s, %d hours", (timezone, day, ...expected) => {
    expect(dayIn(timezone, day)).toEqual(expected);
  });

  it("supports offsets with seconds", () => {
    const from = Date.parse("1971-06-01T00:44:30Z");
    expect(rangeOf({ startDate: "1971-06-01", timezone: "Africa/Monrovia" })).toEqual({ from });
  });

  it("includes both days completely", () => {
    const range = rangeOf({ startDate: "2026-03-01", endDate: "2026-03-31", timezone: "Europe/Berlin" });
    expect(range).toEqual({
      from: Date.parse("2026-03-01T00:00+01:00"),
      until: Date.parse("2026-04-01T00:00+02:00"),
    });
    expect(rangeOf({ endDate: "9999-12-31" })).toEqual({ until: Date.UTC(10_000, 0, 1) });
  });

  it.each([
    ["2026-03-31T18:00:00Z", "2026-03-31T18:00:00.000Z"],
    ["2026-03-31T18:00Z", "2026-03-31T18:00:00.000Z"],
    ["2026-03-31T18:00:00.5+05:45", "2026-03-31T12:15:00.500Z"],
    ["2026-03-31T00:00:00,123456789-03:30", "2026-03-31T03:30:00.123Z"],
  ])("keeps the instant %s, with its own millisecond at the end", (text, instant) => {
    const at = Date.parse(instant);
    expect(rangeOf({ startDate: text, endDate: text, timezone: "Asia/Tokyo" })).toEqual({
      from: at,
      until: at + 1,
    });
  });

  it("accepts a day and an instant together", () => {
    const query = { startDate: "2026-01-01", endDate: "2026-01-01T12:00:00Z", timezone: "Asia/Tokyo" };
    expect(rangeOf(query)).toEqual({ from: Date.UTC(2025, 11, 31, 15), until: Date.UTC(2026, 0, 1, 12) + 1 });
  });

  it.each([
    ["", "invalid_date"],
    ["today", "invalid_date"],
    ["2026-1-1", "invalid_date"],
    ["20260101", "invalid_date"],
    ["2026-01-01 ", "invalid_date"],
    ["2026-01-01\n", "invalid_date"],
    ["２０２６-01-01", "invalid_date"],
    ["+12026-01-01", "invalid_date"],
    ["1767225600000", "invalid_date"],
    ["2026-01-01T00:00:00", "invalid_date"],
    ["2026-01-01T00:00:00 02:00", "invalid_date"],
    ["2026-01-01T24:00:00Z", "invalid_date"],
    ["2026-01-01T23:59:60Z", "invalid_date"],
    ["2026-01-01T00:00:00+24:00", "invalid_date"],
    ["2026-01-01T12.5Z", "invalid_date"],
    ["2026-02-30", "impossible_date"],
    ["2026-02-30T00:00:00Z", "impossible_date"],
    ["2025-02-29", "impossible_date"],
    ["2026-13-01", "impossible_date"],
    ["2026-00-10", "impossible_date"],
    ["2026-04-31", "impossible_date"],
    ["2026-01-00", "impossible_date"],
    ["1969-12-31", "impossible_date"],
    ["0000-01-01", "impossible_date"],
  ])("rejects %j: %s", (text, code) => {
    expect(errorsOf({ startDate: text })).toEqual([`startDate: ${code}`]);
    expect(errorsOf({ endDate: text })).toEqual([`endDate: ${code}`]);
  });

  it.each([
    "",
    "Mars/Olympus",
    "+02:00",
    "BST",
    "Etc/Unknown",
    "SystemV/EST5",
    "Europe/Berlin ",
    "a".repeat(5000),
  ])("rejects the zone %j", (timezone) => {
    expect(errorsOf({ timezone })).toEqual(["timezone: unknown_timezone"]);
  });

  it.each([
    "UTC",
    "Asia/Kolkata",
    "america/port-au-prince",
    "Etc/GMT+12",
    "EST",
    "GB",
    "America/Argentina/Ushuaia",
  ])("accepts the zone %s", (timezone) => {
    expect(parseDateRange({ timezone })).toEqual({ ok: true, range: {} });
  });

  it("rejects an end before the start, by day, by instant and mixed", () => {
    const error = ["endDate: end_before_start"];
    expect(errorsOf({ startDate: "2026-01-02", endDate: "2026-01-01" })).toEqual(error);
    expect(errorsOf({ startDate: "2026-01-01T00:00:00.001Z", endDate: "2026-01-01T00:00:00Z" })).toEqual(
      error,
    );
    expect(errorsOf({ startDate: "2026-01-01", endDate: "2025-12-31T23:59:59.999Z" })).toEqual(error);
    expect(errorsOf({ startDate: "2026-01-02T00:00:00Z", endDate: "2026-01-01" })).toEqual(error);
    expect(errorsOf({ startDate: "2026-01-01", endDate: "2026-01-01T00:00:00Z" })).toEqual([]);
    expect(errorsOf({ startDate: "2026-01-01T23:59:59.999Z", endDate: "2026-01-01" })).toEqual([]);
  });

  it("reports every error", () => {
    expect(errorsOf({ startDate: "2026-02-30", endDate: "soon", timezone: "Nowhere" })).toEqual([
      "startDate: impossible_date",
      "endDate: invalid_date",
      "timezone: unknown_timezone",
    ]);
    expect(errorsOf({ startDate: "2026-02-02", endDate: "2026-02-01", timezone: "Nowhere" })).toEqual([
      "timezone: unknown_timezone",
      "endDate: end_before_start",
    ]);
  });
});

const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/Sao_Paulo",
  "Africa/Cairo",
  "Africa/Casablanca",
  "Asia/Tehran",
  "Asia/Gaza",
  "Pacific/Apia",
  "Pacific/Kiritimati",
  "America/St_Johns",
  "America/Havana",
  "Australia/Lord_Howe",
  "Antarctica/Troll",
];
const dayNumber = fc.integer({ min: 1000, max: 30_000 });
const isoDay = (days: number): string => new Date(days * 24 * HOUR).toISOString().slice(0, 10);

describe("dateRange against a calendar read minute by minute", () => {
  /** The first minute whose local date is the given one or later. */
  function firstMinute(day: string, timezone: string): number {
    const localDate = new Intl.DateTimeFormat("sv-SE", { timeZone: timezone, dateStyle: "short" });
    let at = Date.parse(day) - 15 * HOUR;
    while (localDate.format(at) < day) at += 60_000;
    return at;
  }

  it("begins each day at the first minute of its date", () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), dayNumber, (timezone, days) => {
        expect(rangeOf({ startDate: isoDay(days), timezone })).toEqual({
          from: firstMinute(isoDay(days), timezone),
        });
      }),
    );
  });

  it("begins each day correctly around the changes of the clock in 2011, too", () => {
    for (const timezone of ["Pacific/Apia", "America/St_Johns", "Asia/Gaza", "Africa/Cairo"]) {
      const from = Date.UTC(2011, 0, 1) / HOUR / 24;
      for (let day = from; day < from + 366; day += 1) {
        const { from: begins } = rangeOf({ startDate: isoDay(day), timezone });
        const { until: ends } = rangeOf({ endDate: isoDay(day - 1), timezone });
        expect(begins).toBe(ends);
        const clock = new Intl.DateTimeFormat("sv-SE", { timeZone: timezone, dateStyle: "short" });
        expect(clock.format(begins) >= isoDay(day)).toBe(true);
        expect(clock.format((begins ?? 0) - 1) < isoDay(day)).toBe(true);
      }
    }
  });
});

describe("dateRange on machines in different zones", () => {
  it("gives the same results far from UTC and with summer time, where all tests run", () => {
    const offsets = [0, 6].map((month) => new Date(Date.UTC(2026, month)).getTimezoneOffset());
    expect(offsets).toEqual([600, 540]);
  });

  it.each(["UTC", "America/New_York", "Pacific/Kiritimati"])(
    "gives the same with TZ=%s",
    async (machineZone) => {
      const module = fileURLToPath(new URL("../../src/lib/date-range.ts", import.meta.url));
      const query = {
        startDate: "2026-03-29",
        endDate: "2026-03-29T12:00:00.5+02:00",
        timezone: "Europe/Berlin",
      };
      const program = `import { parseDateRange } from ${JSON.stringify(module)};
      console.log(JSON.stringify(parseDateRange(${JSON.stringify(query)})));`;
      const output = await readPrinted(program, { TZ: machineZone });
      const range = { from: Date.parse("2026-03-28T23:00Z"), until: Date.parse("2026-03-29T10:00:00.501Z") };
      expect(JSON.parse(output)).toEqual({ ok: true, range });
    },
  );
});
