/** Converts `startDate`, `endDate` and `timezone` of a query into a half-open range of epoch milliseconds. */
import { isTimeZone, startOfDay } from "./calendar.ts";

export interface DateQuery {
  /** The first day (`YYYY-MM-DD`) or the first instant (ISO 8601 with zone). */
  startDate?: string | undefined;
  /** The last day or instant, inclusive. */
  endDate?: string | undefined;
  /** IANA name of the time zone of the days; UTC by default. */
  timezone?: string | undefined;
}

/** Epoch milliseconds `from <= t < until`; a missing bound is open. */
export interface DateRange {
  from?: number;
  until?: number;
}

interface DateError {
  path: keyof DateQuery;
  message: string;
  code: "invalid_date" | "impossible_date" | "unknown_timezone" | "end_before_start";
}

type DateRangeResult = { ok: true; range: DateRange } | { ok: false; errors: DateError[] };

/** The range of a query, or all its errors. */
export function parseDateRange({ startDate, endDate, timezone = "UTC" }: DateQuery): DateRangeResult {
  const zone = isTimeZone(timezone) ? timezone : undefined;
  const start = readMoment("startDate", startDate);
  const end = readMoment("endDate", endDate);

  const errors = [start, end].filter((read) => read !== undefined && "code" in read);
  if (zone === undefined) errors.push(unknownTimezone);
  if (isMoment(start) && isMoment(end) && isBefore(end, start, zone)) errors.push(endBeforeStart);
  if (zone === undefined || errors.length > 0) return { ok: false, errors };

  const range: DateRange = {};
  if (isMoment(start)) range.from = findFirstInstant(start, zone);
  if (isMoment(end)) range.until = findInstantAfter(end, zone);
  return { ok: true, range };
}

/** A day, independent of a zone, or an instant. */
type Moment = Temporal.PlainDate | Temporal.Instant;

const unknownTimezone: DateError = {
  path: "timezone",
  message: "must be the name of a time zone, such as Europe/Berlin",
  code: "unknown_timezone",
};
const endBeforeStart: DateError = {
  path: "endDate",
  message: "must not be before startDate",
  code: "end_before_start",
};

/** Stricter than Temporal, which also accepts dates without hyphens, hours without minutes, and second 60. */
const DAY_OR_INSTANT =
  /^(\d{4}-\d\d-\d\d)(T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/;

function readMoment(path: "startDate" | "endDate", text: string | undefined): Moment | DateError | undefined {
  if (text === undefined) return undefined;
  const [isMatch, date = "", time] = DAY_OR_INSTANT.exec(text) ?? [];
  if (isMatch === undefined) {
    const message =
      "must be a day (2026-03-31) or a time with a zone (2026-03-31T18:00:00Z; encode + as %2B)";
    return { path, message, code: "invalid_date" };
  }
  try {
    const day = Temporal.PlainDate.from(date);
    if (day.year >= 1970) return time === undefined ? day : Temporal.Instant.from(text);
  } catch {
    // RangeError: the day doesn't exist.
  }
  return { path, message: "must be an existing day in the years 1970 to 9999", code: "impossible_date" };
}

function isMoment(read: Moment | DateError | undefined): read is Moment {
  return read !== undefined && !("code" in read);
}

/** Two days or two instants can be compared without a zone, a day and an instant only in one. */
function isBefore(end: Moment, start: Moment, zone: string | undefined): boolean {
  if (end instanceof Temporal.PlainDate && start instanceof Temporal.PlainDate)
    return Temporal.PlainDate.compare(end, start) < 0;
  if (end instanceof Temporal.Instant && start instanceof Temporal.Instant)
    return Temporal.Instant.compare(end, start) < 0;
  return zone !== undefined && findInstantAfter(end, zone) <= findFirstInstant(start, zone);
}

function findFirstInstant(moment: Moment, zone: string): number {
  return moment instanceof Temporal.PlainDate ? startOfDay(moment, zone) : moment.epochMilliseconds;
}

function findInstantAfter(moment: Moment, zone: string): number {
  return moment instanceof Temporal.PlainDate
    ? startOfDay(moment.add({ days: 1 }), zone)
    : moment.epochMilliseconds + 1;
}
