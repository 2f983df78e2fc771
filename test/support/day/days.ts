/** In which day, week, month and year of a time zone a moment of the replayed day lies: by offsets written down by hand. */

const MINUTE = 60_000;
const DAY = 86_400_000;
const SUMMER_TIME = Date.UTC(2026, 2, 29, 1);

const OFFSET_MINUTES: Readonly<Record<string, (at: number) => number>> = {
  UTC: () => 0,
  "Europe/Berlin": (at) => (at < SUMMER_TIME ? 60 : 120),
  "Pacific/Kiritimati": () => 14 * 60,
  "America/St_Johns": () => -(2 * 60 + 30),
};

export const ZONES = Object.keys(OFFSET_MINUTES);

/** A time that reads in UTC as `at` does in the zone. */
const localTime = (zone: string, at: number): number =>
  at + (OFFSET_MINUTES[zone]?.(at) ?? Number.NaN) * MINUTE;

const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

export const dayIn = (zone: string, at: number): string => isoDay(localTime(zone, at));

/** Each period goes by its first day. */
export const PERIODS: Readonly<Record<string, (zone: string, at: number) => string>> = {
  day: dayIn,
  week: (zone, at) => {
    const local = localTime(zone, at);
    return isoDay(local - ((new Date(local).getUTCDay() + 6) % 7) * DAY);
  },
  month: (zone, at) => `${dayIn(zone, at).slice(0, 7)}-01`,
  year: (zone, at) => `${dayIn(zone, at).slice(0, 4)}-01-01`,
};

/** So many days after a day, or before it. */
export const daysAfter = (day: string, days: number): string => isoDay(Date.parse(day) + days * DAY);
