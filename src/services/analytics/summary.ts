/** The dashboard: totals, recent days, and the books, countries and languages with the most downloads. */
import type { Clock } from "../../adapters/system.ts";
import { invalidInput } from "../../errors.ts";
import { dayOf, type Period, periodsIn, startOfDay } from "../../lib/calendar.ts";
import type { Counts, EventCounts } from "../../repositories/event-counts/event-counts.ts";
import type { DownloadLogQuery, EventSpan } from "../../repositories/exports/download-log.ts";
import type {
  ByDateQuery,
  Changes,
  DaysWithCounts,
  Recent,
  AnalyticsSummary as Summary,
  SummaryCounts,
  SummaryQuery,
} from "../../schemas/analytics-reports.schemas.ts";
import { presentEvent } from "../books/presenters.ts";
import type { AnalyticsRows } from "./rows.ts";

/** Number of rows in each top list. */
const TOP = 10;

interface AnalyticsSummaryDeps {
  counts: EventCounts;
  rows: AnalyticsRows;
  downloadLog: DownloadLogQuery;
  clock: Clock;
}

export class AnalyticsSummary {
  readonly #deps: AnalyticsSummaryDeps;

  constructor(deps: AnalyticsSummaryDeps) {
    this.#deps = deps;
  }

  async of({ timezone: zone = "UTC", includeBots }: SummaryQuery): Promise<Summary> {
    const today = dayOf(this.#deps.clock.now(), zone);
    const everything = { includeBots };
    const recent = (days: number) => this.#recent({ days, today, zone, includeBots });
    // All counts of one response are taken at the same moment.
    const [totals, lastDay, last7Days, last30Days, books, countries, languages, devices, events] =
      await Promise.all([
        this.#deps.counts.totals(everything),
        recent(1),
        recent(7),
        recent(30),
        this.#deps.rows.byBook(everything),
        this.#deps.rows.byCountry(everything),
        this.#deps.rows.byLanguage(everything),
        this.#deps.rows.byDevice(everything),
        this.#deps.downloadLog.list(everything, { limit: TOP, offset: 0 }),
      ]);
    const known = countries.filter(({ countryCode }) => countryCode !== "");
    return {
      totals: { ...summaryCountsOf(totals), countries: known.length },
      funnel: funnelOf(totals),
      legacyDownloads: { books: legacyOf(books), languages: legacyOf(languages) },
      today: lastDay,
      last7Days,
      last30Days,
      topBooks: books.slice(0, TOP),
      topCountries: known.slice(0, TOP),
      topLanguages: languages.slice(0, TOP),
      devices,
      recentDownloads: events.map(presentEvent),
    };
  }

  /** Counts of the given number of days up to today, and of the same number of days before them. */
  async #recent({
    days,
    today,
    ...where
  }: Where & { days: number; today: Temporal.PlainDate }): Promise<Recent> {
    const first = today.subtract({ days: days - 1 });
    const [now, previous] = await Promise.all([
      this.#between(first, today, where),
      this.#between(first.subtract({ days }), first.subtract({ days: 1 }), where),
    ]);
    return { ...now, previous, change: changesFrom(previous, now) };
  }

  async #between(
    firstDay: Temporal.PlainDate,
    lastDay: Temporal.PlainDate,
    { zone, includeBots }: Where,
  ): Promise<DaysWithCounts> {
    const from = startOfDay(firstDay, zone);
    const until = startOfDay(lastDay.add({ days: 1 }), zone);
    const counts = await this.#deps.counts.totals({ from, until, includeBots });
    return { startDate: firstDay.toString(), endDate: lastDay.toString(), ...summaryCountsOf(counts) };
  }
}

interface Where {
  zone: string;
  includeBots: boolean;
}

const summaryCountsOf = ({ downloads, redeemed, books, contacts }: Counts): SummaryCounts => ({
  downloads,
  redeemed,
  books,
  contacts,
});

const funnelOf = ({ downloads, redeemed }: Counts): Summary["funnel"] => ({
  requested: downloads,
  redeemed,
  rate: shareOf(redeemed, downloads),
});

const changesFrom = (previous: SummaryCounts, now: SummaryCounts): Changes => ({
  downloads: shareOf(now.downloads - previous.downloads, previous.downloads),
  redeemed: shareOf(now.redeemed - previous.redeemed, previous.redeemed),
  books: shareOf(now.books - previous.books, previous.books),
  contacts: shareOf(now.contacts - previous.contacts, previous.contacts),
});

/** Rounded to four decimal places; null if the whole is zero or unknown. */
const shareOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;

const legacyOf = (rows: readonly { legacyDownloads: number }[]): number =>
  rows.reduce((sum, { legacyDownloads }) => sum + legacyDownloads, 0);

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
export async function periodsOf(query: ByDateQuery, span: EventSpan, findBusy: FindBusy): Promise<Period[]> {
  const { fill, granularity, timezone: zone = "UTC" } = query;
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
