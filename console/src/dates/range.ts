/** Ranges of days, written as the API takes them: `YYYY-MM-DD`, both included. */

export interface Range {
  /** Empty: from the beginning. */
  startDate: string;
  /** Empty: until now. */
  endDate: string;
}

export const PRESETS = [
  "today",
  "yesterday",
  "last7Days",
  "last30Days",
  "thisMonth",
  "lastMonth",
  "last12Months",
  "thisYear",
] as const;
export type Preset = (typeof PRESETS)[number];

const DAY = 86_400_000;

const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** @param day `YYYY-MM-DD` */
const addDays = (day: string, days: number): string => toDay(Date.parse(day) + days * DAY);

/** How many days a range has. */
export const countDays = ({ startDate, endDate }: Range): number =>
  Math.round((Date.parse(endDate) - Date.parse(startDate)) / DAY) + 1;

/** The day that it is in a time zone. */
export function findToday(timezone: string, now = Date.now()): string {
  const format = new Intl.DateTimeFormat("en", {
    timeZone: timezone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}`;
}

/** How far the clocks of a time zone are ahead of UTC. */
function findOffset(timezone: string, time: number): number {
  const format = new Intl.DateTimeFormat("en", { timeZone: timezone, timeZoneName: "longOffset" });
  const name = format.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours = "0", minutes = "0", seconds = "0"] = /([+-])(\d+):(\d+):?(\d*)/.exec(name) ?? [];
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * (sign === "-" ? -1000 : 1000);
}

/** When a day begins in a time zone, also where the clocks skip its midnight. @param day `YYYY-MM-DD` */
export function findStartOfDay(day: string, timezone: string): Date {
  const midnight = Date.parse(day);
  const near = midnight - findOffset(timezone, midnight);
  return new Date(Math.max(near, midnight - findOffset(timezone, near)));
}

/** The last millisecond of a day in a time zone. @param day `YYYY-MM-DD` */
export const findEndOfDay = (day: string, timezone: string): Date =>
  new Date(findStartOfDay(addDays(day, 1), timezone).getTime() - 1);

/** @param today the last day of the ranges that end now */
export function findRange(preset: Preset, today: string): Range {
  const [year = 0, month = 1] = today.split("-").map(Number);
  const firstOf = (months: number) => toDay(Date.UTC(year, month - 1 + months, 1));
  switch (preset) {
    case "today":
      return { startDate: today, endDate: today };
    case "yesterday":
      return { startDate: addDays(today, -1), endDate: addDays(today, -1) };
    case "last7Days":
      return { startDate: addDays(today, -6), endDate: today };
    case "last30Days":
      return { startDate: addDays(today, -29), endDate: today };
    case "thisMonth":
      return { startDate: firstOf(0), endDate: today };
    case "lastMonth":
      return { startDate: firstOf(-1), endDate: addDays(firstOf(0), -1) };
    case "last12Months":
      return {
        startDate: addDays(toDay(Date.UTC(year - 1, month - 1, Number(today.slice(8)))), 1),
        endDate: today,
      };
    case "thisYear":
      return { startDate: `${today.slice(0, 4)}-01-01`, endDate: today };
  }
}

/** The days before a range, as many as it has. */
export function findRangeBefore(range: Range): Range {
  const days = countDays(range);
  return { startDate: addDays(range.startDate, -days), endDate: addDays(range.endDate, -days) };
}

/** Days that a calendar can have meant; a year that is still being typed isn't one. */
export const isDay = (text: string): boolean =>
  /^(19[7-9]|[2-9]\d\d)\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** The range of an address that names it by its relation to today: it moves on with the days. */
export const readPreset = (query: URLSearchParams): Preset | undefined =>
  PRESETS.find((preset) => preset === query.get("range"));

function readDay(query: URLSearchParams, name: string): string {
  const value = query.get(name) ?? "";
  return isDay(value) ? value : "";
}

/** The range in an address; what isn't a day is left open. */
export function readRange(query: URLSearchParams, timezone: string, now = Date.now()): Range {
  const preset = readPreset(query);
  if (preset) return findRange(preset, findToday(timezone, now));
  return { startDate: readDay(query, "startDate"), endDate: readDay(query, "endDate") };
}

export const namesRange = (query: URLSearchParams): boolean =>
  readPreset(query) !== undefined || ["startDate", "endDate"].some((name) => readDay(query, name) !== "");
