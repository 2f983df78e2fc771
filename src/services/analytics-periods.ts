/** The periods of a report by date: which ones are asked for, and which of them are listed. */
import { invalidInput } from "../errors.ts";
import { type Period, periodsIn } from "../lib/periods.ts";
import { zoneOf } from "../lib/time-zone.ts";
import type { EventSpan } from "../repositories/analytics/download-log.ts";
import type { ByDateQuery } from "../schemas/analytics-reports.schemas.ts";

/** Days of 27 years: an answer of a megabyte. */
const MAX_PERIODS = 10_000;

/**
 * From the first to the last day that was asked for. Where nothing can have happened, nothing is asked for, unless empty
 * periods are wanted.
 * @throws AppError 400 when there are too many
 */
export function periodsOf(query: ByDateQuery, span: EventSpan): Period[] {
  const { fill, granularity, timezone } = query;
  const first = span.first ?? Infinity;
  const end = span.last === null ? -Infinity : span.last + 1;
  const from = query.from === undefined || !fill ? Math.max(query.from ?? first, first) : query.from;
  const until = query.until === undefined || !fill ? Math.min(query.until ?? end, end) : query.until;
  if (from >= until) return [];
  const periods = periodsIn({ from, until }, granularity, zoneOf(timezone))
    .take(MAX_PERIODS + 1)
    .toArray();
  if (periods.length > MAX_PERIODS) throw tooMany();
  return periods;
}

const tooMany = () =>
  invalidInput([
    {
      ...{ in: "query", path: "granularity", code: "too_many_periods" },
      message: `More than ${MAX_PERIODS} periods: ask for fewer days or for longer periods.`,
    },
  ]);

/** Those with downloads and, with `fill`, those in between and up to the days that were asked for. */
export function listedPeriods(
  { fill, from, until }: ByDateQuery,
  periods: readonly Period[],
  hasDownloads: (period: Period) => boolean,
): readonly Period[] {
  if (!fill) return periods.filter(hasDownloads);
  const first = from === undefined ? periods.findIndex(hasDownloads) : 0;
  const last = until === undefined ? periods.findLastIndex(hasDownloads) : periods.length - 1;
  return first < 0 ? [] : periods.slice(first, last + 1);
}
