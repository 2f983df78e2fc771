/** The periods of a report by date: those with downloads, or all between two dates, in a bounded number. */
import { invalidInput } from "../../errors.ts";
import { iteratePeriods, type Period } from "../../lib/calendar.ts";
import type { EventSpan } from "../../repositories/exports/download-log.ts";
import type { ByDateQuery } from "../../schemas/analytics-reports.schemas.ts";

/** 27 years of days: a response of about one megabyte. */
const MAX_PERIODS = 10_000;
/** More periods than this contain more than MAX_PERIODS listed ones, even if the first and last year are empty. */
const TOO_MANY_FILLED = MAX_PERIODS + 2 * 366 + 1;

interface Range {
  from: number;
  until: number;
}

/** Returns those of the given periods that have downloads, in the same order. */
type FindBusy = (periods: readonly Period[]) => Promise<readonly Period[]>;

/**
 * The periods to count. Periods outside the span of events are skipped unless empty periods are requested. If there are
 * too many, only periods in years with downloads are kept: one event recorded by a clock that was set to 1970 adds one
 * year, not half a century.
 * @throws AppError 400 if too many periods would be listed
 */
export async function listPeriods(
  query: ByDateQuery,
  span: EventSpan,
  findBusy: FindBusy,
): Promise<Period[]> {
  const { fill, granularity, timezone: zone = "UTC" } = query;
  const range = rangeOf(query, span);
  if (range.from >= range.until) return [];
  const some = iteratePeriods(range, granularity, zone)
    .take(MAX_PERIODS + 1)
    .toArray();
  if (some.length <= MAX_PERIODS) return some;
  const years = await findBusy(iteratePeriods(range, "year", zone).take(MAX_PERIODS).toArray());
  if (!fill)
    return joinRanges(years, range).flatMap((years) => iteratePeriods(years, granularity, zone).toArray());
  const filled = {
    from: query.from ?? years[0]?.start ?? range.until,
    until: query.until ?? years.at(-1)?.end ?? range.from,
  };
  const periods = iteratePeriods(filled, granularity, zone).take(TOO_MANY_FILLED).toArray();
  if (periods.length === TOO_MANY_FILLED) throw tooMany();
  return periods;
}

/** From the first to the last day that was requested or can have downloads. */
function rangeOf({ from, until, fill }: ByDateQuery, span: EventSpan): Range {
  const first = span.first ?? Infinity;
  const end = span.last === null ? -Infinity : span.last + 1;
  return {
    from: from === undefined || !fill ? Math.max(from ?? first, first) : from,
    until: until === undefined || !fill ? Math.min(until ?? end, end) : until,
  };
}

/** The years as ranges. Adjacent years become one range, because a week can belong to two years. */
function joinRanges(years: readonly Period[], within: Range): Range[] {
  const ranges: Range[] = [];
  for (const { start, end } of years) {
    const last = ranges.at(-1);
    if (last?.until === start) last.until = end;
    else ranges.push({ from: start, until: end });
  }
  return ranges.map(({ from, until }) => ({
    from: Math.max(from, within.from),
    until: Math.min(until, within.until),
  }));
}

const tooMany = () =>
  invalidInput([
    {
      in: "query",
      path: "granularity",
      code: "too_many_periods",
      message: `The date range has more than ${MAX_PERIODS} periods. Use a shorter range or a coarser granularity.`,
    },
  ]);

/**
 * Periods with downloads. With `fill`, also the empty periods between them and up to the requested dates.
 * @throws AppError 400 if there are too many
 */
export function selectPeriods(
  { fill, from, until }: ByDateQuery,
  periods: readonly Period[],
  hasDownloads: (period: Period) => boolean,
): readonly Period[] {
  const first = !fill || from === undefined ? periods.findIndex(hasDownloads) : 0;
  const last = !fill || until === undefined ? periods.findLastIndex(hasDownloads) : periods.length - 1;
  const filled = first < 0 ? [] : periods.slice(first, last + 1);
  const listed = fill ? filled : filled.filter(hasDownloads);
  if (listed.length > MAX_PERIODS) throw tooMany();
  return listed;
}
