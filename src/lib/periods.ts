/** Days, weeks, months and years of a calendar, as they lie in a time zone. */
import { DAY } from "./time.ts";
import { dayOf, startOfDay, type Zone } from "./time-zone.ts";

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

/** The periods that have a part in `from <= t < until`, in their order. A day that the calendar left out is none. */
export function* periodsIn(
  { from, until }: { from: number; until: number },
  granularity: Granularity,
  zone: Zone,
): Generator<Period, void> {
  const { firstDay, after } = CALENDAR[granularity];
  let day = firstDay(dayOf(from, zone));
  for (let start = startOfDay(day, zone); start < until; ) {
    const next = after(day);
    const end = startOfDay(next, zone);
    if (end > start) yield { date: isoDay(day), start, end };
    day = next;
    start = end;
  }
}

/** The day that begins at a midnight in UTC. */
export const isoDay = (midnight: number): string =>
  new Date(midnight).toISOString().slice(0, -"T00:00:00.000Z".length);

interface Rule {
  /** The first day of the period with this day. */
  firstDay(day: number): number;
  /** The first day of the period after the one that begins with this day. */
  after(firstDay: number): number;
}

/** 1970 began with a Thursday, the fourth day of a week. */
const DAYS_BEFORE_1970 = 3;

const CALENDAR: Readonly<Record<Granularity, Rule>> = {
  day: { firstDay: (day) => day, after: (day) => day + DAY },
  week: {
    firstDay: (day) => day - ((day / DAY + DAYS_BEFORE_1970) % 7) * DAY,
    after: (day) => day + 7 * DAY,
  },
  month: { firstDay: (day) => monthAt(day, 0), after: (day) => monthAt(day, 1) },
  year: { firstDay: (day) => yearAt(day, 0), after: (day) => yearAt(day, 1) },
};

function monthAt(day: number, more: number): number {
  const date = new Date(day);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + more);
}

const yearAt = (day: number, more: number): number => Date.UTC(new Date(day).getUTCFullYear() + more, 0);
