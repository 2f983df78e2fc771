/** Dates in queries: turns `startDate`, `endDate` and `timezone` into a half-open range of epoch milliseconds. */
import { DAY } from "./time.ts";
import { startOfDay, type Zone, zoneNamed } from "./time-zone.ts";

export interface DateQuery {
  /** The first day (`YYYY-MM-DD`) or the first instant (ISO 8601 with zone). */
  startDate?: string | undefined;
  /** The last day or instant; it belongs to the range. */
  endDate?: string | undefined;
  /** IANA name of the zone whose days are meant; UTC unless given. */
  timezone?: string | undefined;
}

/** Epoch milliseconds `from <= t < until`; open where a date isn't given. */
export interface DateRange {
  from?: number;
  until?: number;
}

export interface DateError {
  path: keyof DateQuery;
  message: string;
  code: "invalid_date" | "impossible_date" | "unknown_timezone" | "end_before_start";
}

export type DateRangeResult = { ok: true; range: DateRange } | { ok: false; errors: DateError[] };

/** The range of a query, or every fault in it. */
export function dateRange({ startDate, endDate, timezone = "UTC" }: DateQuery): DateRangeResult {
  const zone = zoneNamed(timezone);
  const start = readMoment("startDate", startDate);
  const end = readMoment("endDate", endDate);

  const errors = [start, end].filter((read) => read !== undefined && "code" in read);
  if (zone === undefined) errors.push(unknownTimezone);
  if (isMoment(start) && isMoment(end) && isBefore(end, start, zone)) errors.push(endBeforeStart);
  if (zone === undefined || errors.length > 0) return { ok: false, errors };

  const range: DateRange = {};
  if (isMoment(start)) range.from = firstInstant(start, zone);
  if (isMoment(end)) range.until = instantAfter(end, zone);
  return { ok: true, range };
}

/** `at`: the instant itself, or for a day its midnight in UTC, which stands for the date in any zone. */
interface Moment {
  kind: "day" | "instant";
  at: number;
}

const unknownTimezone: DateError = {
  path: "timezone",
  message: "Not the name of a time zone, such as Europe/Berlin.",
  code: "unknown_timezone",
};
const endBeforeStart: DateError = {
  path: "endDate",
  message: "The end is before the start.",
  code: "end_before_start",
};

const CALENDAR_DAY = /^\d{4}-\d\d-\d\d$/;
/** Date, time, seconds, fraction, zone; seconds and fraction may be left out. */
const INSTANT =
  /^(\d{4}-\d\d-\d\d)T((?:[01]\d|2[0-3]):[0-5]\d)(?:(:[0-5]\d)(?:[.,](\d{1,9}))?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

function readMoment(path: "startDate" | "endDate", text: string | undefined): Moment | DateError | undefined {
  if (text === undefined) return undefined;
  const [, date = text, time, seconds = ":00", fraction = "", zone] = INSTANT.exec(text) ?? [];
  if (!CALENDAR_DAY.test(date)) {
    const message =
      "Neither a day (2026-03-31) nor a time with its zone (2026-03-31T18:00:00Z; in an address + is %2B).";
    return { path, message, code: "invalid_date" };
  }
  const midnight = utcMidnight(date);
  if (midnight === undefined) {
    return { path, message: "There is no such day in the years 1970 to 9999.", code: "impossible_date" };
  }
  if (time === undefined) return { kind: "day", at: midnight };
  const milliseconds = fraction.padEnd(3, "0").slice(0, 3);
  return { kind: "instant", at: Date.parse(`${date}T${time}${seconds}.${milliseconds}${zone}`) };
}

function isMoment(read: Moment | DateError | undefined): read is Moment {
  return read !== undefined && "kind" in read;
}

/** Date.parse lets 30 February overflow into March: only a day that comes back as itself exists. */
function utcMidnight(date: string): number | undefined {
  const at = Date.parse(`${date}T00:00Z`);
  const exists = at >= 0 && new Date(at).toISOString().startsWith(date);
  return exists ? at : undefined;
}

/** Two days or two instants compare without a zone; a day and an instant only in one. */
function isBefore(end: Moment, start: Moment, zone: Zone | undefined): boolean {
  if (end.kind === start.kind) return end.at < start.at;
  return zone !== undefined && instantAfter(end, zone) <= firstInstant(start, zone);
}

function firstInstant({ kind, at }: Moment, zone: Zone): number {
  return kind === "day" ? startOfDay(at, zone) : at;
}

function instantAfter({ kind, at }: Moment, zone: Zone): number {
  return kind === "day" ? startOfDay(at + DAY, zone) : at + 1;
}
