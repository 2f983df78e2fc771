/** Days in every time zone, held against Temporal. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAY } from "../../src/lib/time.ts";
import { dayOf, startOfDay, zonedTime, zoneNamed, zoneOf } from "../../src/lib/time-zone.ts";

const ZONES = Intl.supportedValuesOf("timeZone");
const FIRST_DAY = Date.UTC(1970, 0, 2);
const LAST_DAY = Date.UTC(2099, 0);

/** When the clocks of a zone are changed, in epoch milliseconds. */
function* clockChanges(timezone: string): Generator<number, void> {
  let at = Temporal.Instant.fromEpochMilliseconds(FIRST_DAY).toZonedDateTimeISO(timezone);
  for (;;) {
    const next = at.getTimeZoneTransition("next");
    if (next === null || next.epochMilliseconds > LAST_DAY) return;
    yield next.epochMilliseconds;
    at = next;
  }
}

function startByTemporal(midnight: number, timezone: string): number {
  const day = Temporal.PlainDate.from(new Date(midnight).toISOString().slice(0, 10));
  return day.toZonedDateTime(timezone).epochMilliseconds;
}

const zone = fc.constantFrom(...ZONES);
const day = fc.integer({ min: FIRST_DAY / DAY, max: LAST_DAY / DAY }).map((days) => days * DAY);

describe("T35 a day of a time zone", () => {
  it("begins when Temporal says so", () => {
    fc.assert(
      fc.property(zone, day, (timezone, midnight) => {
        expect(startOfDay(midnight, zoneOf(timezone))).toBe(startByTemporal(midnight, timezone));
      }),
      { numRuns: 1000 },
    );
  });

  it("also around every change of the clock", () => {
    fc.assert(
      fc.property(zone, (timezone) => {
        for (const change of clockChanges(timezone)) {
          const around = Math.floor(change / DAY) * DAY;
          for (const midnight of [-4, -2, -1, 0, 1, 2, 4].map((days) => around + days * DAY)) {
            const start = startOfDay(midnight, zoneOf(timezone));
            if (start !== startByTemporal(midnight, timezone))
              expect(`${timezone} ${new Date(midnight)}`).toBe("");
          }
        }
      }),
      // Clocks that were changed back after a week or a month.
      { numRuns: 15, examples: [["America/Boa_Vista"], ["Asia/Gaza"], ["Africa/Casablanca"]] },
    );
  });

  it("has the instants from its start to that of the next one", () => {
    const millisecond = fc.integer({ min: FIRST_DAY, max: LAST_DAY });
    fc.assert(
      fc.property(zone, millisecond, (timezone, at) => {
        const day = dayOf(at, zoneOf(timezone));
        expect(startOfDay(day, zoneOf(timezone))).toBeLessThanOrEqual(at);
        expect(startOfDay(day + DAY, zoneOf(timezone))).toBeGreaterThan(at);
      }),
    );
  });

  it("stays the day that has begun when the clock goes back over midnight", () => {
    const newfoundland = zoneOf("America/St_Johns");
    const sunday = Date.UTC(2010, 10, 7);
    // One minute after midnight the clock shows 23:01 of Saturday once more.
    for (const time of ["2010-11-07T02:30Z", "2010-11-07T02:31Z", "2010-11-07T03:30Z"])
      expect(dayOf(Date.parse(time), newfoundland)).toBe(sunday);
    expect(dayOf(Date.parse("2010-11-07T02:29:59.999Z"), newfoundland)).toBe(sunday - DAY);
  });

  it("is found with a bounded memory", () => {
    const zone = zoneOf("Europe/Berlin");
    for (let day = FIRST_DAY; day < LAST_DAY; day += DAY) startOfDay(day, zone);
    expect(zone.knownOffsets.size).toBeLessThanOrEqual(4000);
  });

  it("is found by a few offsets, since no clock is changed twice within six days", () => {
    let least = Infinity;
    for (const timezone of ZONES) {
      let former = -Infinity;
      for (const change of clockChanges(timezone)) {
        least = Math.min(least, change - former);
        former = change;
      }
    }
    expect(least).toBeGreaterThan(6 * DAY);
  });
});

describe("a time zone", () => {
  it("is any of those that this Node knows", () => {
    expect(ZONES.filter((timezone) => zoneNamed(timezone) === undefined)).toEqual([]);
    expect(zoneNamed("Mars/Base")).toBeUndefined();
    expect(() => zoneOf("Mars/Base")).toThrow(RangeError);
  });
});

describe("zonedTime", () => {
  it("is the same moment in any zone, also where the clock is changed", () => {
    const times = fc.oneof(
      fc.integer({ min: 0, max: Date.UTC(2060, 0) }),
      fc.integer({ min: -3_600_000, max: 3_600_000 }).map((more) => Date.UTC(2026, 2, 29, 1) + more),
    );
    const names = fc.constantFrom(
      "UTC",
      "Europe/Berlin",
      "America/St_Johns",
      "Asia/Kathmandu",
      "Africa/Monrovia",
    );
    fc.assert(
      fc.property(times, names, (at, name) => {
        const text = zonedTime(at, zoneNamed(name));
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/);
        expect(Date.parse(text)).toBe(at);
      }),
    );
  });

  it("shows what the clocks of the zone show", () => {
    const berlin = zoneNamed("Europe/Berlin");
    expect(zonedTime(Date.UTC(2026, 9, 25, 0, 30), berlin)).toBe("2026-10-25T02:30:00.000+02:00");
    expect(zonedTime(Date.UTC(2026, 9, 25, 1, 30), berlin)).toBe("2026-10-25T02:30:00.000+01:00");
    expect(zonedTime(0, zoneNamed("America/New_York"))).toBe("1969-12-31T19:00:00.000-05:00");
    expect(zonedTime(0, undefined)).toBe("1970-01-01T00:00:00.000Z");
  });
});
