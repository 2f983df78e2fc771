/** The periods of a report by date: which ones are counted, and which of them are listed. */
import { invalidInput } from "../errors.ts";
import { type Period, periodsIn } from "../lib/periods.ts";
import { zoneOf } from "../lib/time-zone.ts";
import type { EventSpan } from "../repositories/analytics/download-log.ts";
import type { ByDateQuery } from "../schemas/analytics-reports.schemas.ts";

/** Days of 27 years: a response of a megabyte. */
const MAX_PERIODS = 10_000;
/** Of these, more than MAX_PERIODS are listed, though a year at each end may be empty. */
const TOO_MANY_FILLED = MAX_PERIODS + 2 * 366 + 1;

interface Range {
  from: number;
  until: number;
}

/** Which of some periods, given in their order, have downloads. */
type FindBusy = (periods: readonly Period[]) => Promise<readonly Period[]>;

/**
 * The periods to be counted. Where nothing can have happened, nothing is counted, unless empty periods are wanted. Of too
 * many, those of years with downloads remain: one event of a clock that was at 1970 adds a year, not half a century.
 * @throws AppError 400 when there are too many that would be listed
 */
export async function periodsOf(query: ByDateQuery, span: EventSpan, findBusy: FindBusy): Promise<Period[]> {
  const { fill, granularity, timezone } = query;
  const zone = zoneOf(timezone);
  const range = rangeOf(query, span);
  if (range.from >= range.until) return [];
  const some = periodsIn(range, granularity, zone)
    .take(MAX_PERIODS + 1)
    .toArray();
  if (some.length <= MAX_PERIODS) return some;
  const years = await findBusy(periodsIn(range, "year", zone).take(MAX_PERIODS).toArray());
  if (!fill) return joined(years, range).flatMap((years) => periodsIn(years, granularity, zone).toArray());
  const filled = {
    from: query.from ?? years[0]?.start ?? range.until,
    until: query.until ?? years.at(-1)?.end ?? range.from,
  };
  const periods = periodsIn(filled, granularity, zone).take(TOO_MANY_FILLED).toArray();
  if (periods.length === TOO_MANY_FILLED) throw tooMany();
  return periods;
}

/** From the first to the last day that was asked for, or on which there may be downloads. */
function rangeOf({ from, until, fill }: ByDateQuery, span: EventSpan): Range {
  const first = span.first ?? Infinity;
  const end = span.last === null ? -Infinity : span.last + 1;
  return {
    from: from === undefined || !fill ? Math.max(from ?? first, first) : from,
    until: until === undefined || !fill ? Math.min(until ?? end, end) : until,
  };
}

/** The years as ranges, those that follow each other as one: a week may have a part in two. */
function joined(years: readonly Period[], within: Range): Range[] {
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
      ...{ in: "query", path: "granularity", code: "too_many_periods" },
      message: `More than ${MAX_PERIODS} periods: ask for fewer days or for longer periods.`,
    },
  ]);

/**
 * Those with downloads and, with `fill`, those in between and up to the days that were asked for.
 * @throws AppError 400 when they are too many
 */
export function listedPeriods(
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
