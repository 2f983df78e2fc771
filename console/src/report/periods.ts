/** The range of a report: a year, a quarter, or other days. */
import { countDays, findRangeBefore, type Range } from "../dates/range.ts";

const QUARTERS = 8;
const YEARS = 3;
/** Longer ranges are shown by year. */
const MAX_MONTHS = 24;
/** The service knows no days before this one. */
export const FIRST_DAY = "1970-01-01";

const toDay = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);

const readDay = (day: string) => {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return { year, month: month - 1 };
};

/** @param index counted from the first quarter of the year 0 */
const toQuarter = (index: number): Range => {
  const [year, month] = [Math.floor(index / 4), (index % 4) * 3];
  return { startDate: toDay(year, month, 1), endDate: toDay(year, month + 3, 0) };
};

function findQuarter(day: string): number {
  const { year, month } = readDay(day);
  return year * 4 + Math.floor(month / 3);
}

/** The quarters and years that can be chosen, newest first; the first of each isn't over yet. */
export function listPeriods(today: string): Range[] {
  const { year } = readDay(today);
  const quarter = findQuarter(today);
  return [
    ...Array.from({ length: QUARTERS }, (_, index) => toQuarter(quarter - index)),
    ...Array.from({ length: YEARS }, (_, index) => ({
      startDate: `${year - index}-01-01`,
      endDate: `${year - index}-12-31`,
    })),
  ];
}

/** The last quarter that is over where no day is given; an end that is left open is the nearest that makes a range. */
export function completeRange({ startDate, endDate }: Range, today: string): Range {
  if (startDate === "" && endDate === "") return toQuarter(findQuarter(today) - 1);
  if (startDate === "") return { startDate: `${endDate.slice(0, 4)}-01-01`, endDate };
  const range = { startDate, endDate: endDate || today };
  return countDays(range) < 1 ? { startDate, endDate: startDate } : range;
}

/** A name such as "January – March 2026" or "2026". */
export function namePeriod({ startDate, endDate }: Range, language: string): string {
  const isYear = startDate.endsWith("-01-01") && endDate === `${startDate.slice(0, 4)}-12-31`;
  const format = new Intl.DateTimeFormat(language, {
    year: "numeric",
    ...(!isYear && { month: "long" }),
    timeZone: "UTC",
  });
  return format.formatRange(new Date(startDate), new Date(endDate));
}

/** The days before a range, as many as it has; undefined where the service knows none of them. */
export function findComparison(range: Range): Range | undefined {
  const before = findRangeBefore(range);
  return before.startDate < FIRST_DAY ? undefined : before;
}

export function chooseGranularity({ startDate, endDate }: Range): "month" | "year" {
  const [first, last] = [readDay(startDate), readDay(endDate)];
  return (last.year - first.year) * 12 + last.month - first.month < MAX_MONTHS ? "month" : "year";
}
