/** Calendar days, weeks, months and years in a time zone, which is identified by its IANA name. */
import { LRUCache } from "lru-cache";
import { isoTime } from "./time.ts";

/** Accepted by Temporal besides IANA names: offsets, and old abbreviations of ICU (`BST` would be Bangladesh). */
const NOT_IANA = /^(?:[+-]|SystemV\/|(?!UTC|GMT|UCT|EST|MST|HST|CET|EET|MET|WET|PRC|ROC|ROK)[a-z]{3}$)/i;

/** Whether this is an IANA time zone. */
export function isTimeZone(name: string): boolean {
  if (NOT_IANA.test(name)) return false;
  try {
    new Temporal.ZonedDateTime(0n, name);
    return true;
  } catch {
    return false; // RangeError: no such zone
  }
}

/**
 * The first instant whose local date is the given day or, if the calendar skipped that day, a later one; in epoch
 * milliseconds.
 */
export const startOfDay = (day: Temporal.PlainDate, zone: string): number =>
  day.toZonedDateTime(zone).epochMilliseconds;

/** The day of an instant: the latest one that has begun. */
export function dayOf(at: number, zone: string): Temporal.PlainDate {
  const day = convertToZone(at, zone).toPlainDate();
  const next = day.add({ days: 1 });
  // When the clock is set back over midnight, the local date is the previous day again.
  return startOfDay(next, zone) <= at ? next : day;
}

/** Since 1972 no zone has changed its offset within a quarter of an hour. */
const QUARTER = 900_000;
/** Exports format millions of times, most of them close to the previous one; Temporal takes 5 µs for each. */
const offsets = new LRUCache<string, { milliseconds: number; text: string }>({ max: 4000 });

/** `2026-03-01T15:00:00.000+03:00`; in UTC without a zone. */
export function formatZonedTime(at: number, zone: string | undefined): string {
  if (zone === undefined) return isoTime(at);
  const key = `${zone} ${Math.floor(at / QUARTER)}`;
  const known = offsets.get(key);
  const { milliseconds, text } = known ?? offsetAt(at, zone);
  if (known === undefined) offsets.set(key, { milliseconds, text });
  return isoTime(at + milliseconds).slice(0, -"Z".length) + text;
}

function offsetAt(at: number, zone: string) {
  const { offset, offsetNanoseconds } = convertToZone(at, zone);
  return { milliseconds: offsetNanoseconds / 1e6, text: offset.slice(0, "+03:00".length) };
}

const convertToZone = (at: number, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);

export const GRANULARITIES = ["day", "week", "month", "year"] as const;
export type Granularity = (typeof GRANULARITIES)[number];

export interface Period {
  /** Its first day: `2026-03-02` */
  date: string;
  /** Epoch milliseconds. */
  start: number;
  /** Epoch milliseconds at which the next one starts. */
  end: number;
}

/** The periods that overlap `from <= t < until`, in order. Days that the calendar skipped are omitted. */
export function* iteratePeriods(
  { from, until }: { from: number; until: number },
  granularity: Granularity,
  zone: string,
): Generator<Period, void> {
  const { firstDay, length } = CALENDAR[granularity];
  let day = firstDay(dayOf(from, zone));
  for (let start = startOfDay(day, zone); start < until; ) {
    const next = day.add(length);
    const end = startOfDay(next, zone);
    if (end > start) yield { date: day.toString(), start, end };
    day = next;
    start = end;
  }
}

interface PeriodRule {
  /** The first day of the period that contains this day. */
  firstDay(day: Temporal.PlainDate): Temporal.PlainDate;
  length: Temporal.Duration;
}

const CALENDAR: Readonly<Record<Granularity, PeriodRule>> = {
  day: { firstDay: (day) => day, length: Temporal.Duration.from({ days: 1 }) },
  week: {
    firstDay: (day) => day.subtract({ days: day.dayOfWeek - 1 }),
    length: Temporal.Duration.from({ weeks: 1 }),
  },
  month: { firstDay: (day) => day.with({ day: 1 }), length: Temporal.Duration.from({ months: 1 }) },
  year: { firstDay: (day) => day.with({ month: 1, day: 1 }), length: Temporal.Duration.from({ years: 1 }) },
};
