/** The dashboard: totals, recent days, and the books, countries and languages with the most downloads. */
import type { Clock } from "../../adapters/system.ts";
import { dayOf, startOfDay } from "../../lib/calendar.ts";
import type { Counts, EventCounts } from "../../repositories/event-counts/event-counts.ts";
import type { DownloadLogQuery } from "../../repositories/exports/download-log.ts";
import type {
  Changes,
  DaysWithCounts,
  Recent,
  AnalyticsSummary as Summary,
  SummaryCounts,
  SummaryQuery,
} from "../../schemas/analytics-reports.schemas.ts";
import { Service } from "../shared/service.ts";
import type { AnalyticsService } from "./analytics.service.ts";
import { presentEvent } from "./presenters.ts";

/** Number of rows in each top list. */
const TOP = 10;

interface AnalyticsSummaryDeps {
  counts: EventCounts;
  reports: AnalyticsService;
  downloadLog: DownloadLogQuery;
  clock: Clock;
}

export class AnalyticsSummary extends Service<AnalyticsSummaryDeps> {
  /** All counts are taken at the same moment. Dates limit what isn't about recent days. */
  async summarize({ timezone: zone = "UTC", includeBots, from, until }: SummaryQuery): Promise<Summary> {
    const today = dayOf(this.deps.clock.now(), zone);
    const filter = { includeBots, from, until };
    const countRecent = (days: number) => this.#countRecent({ days, today, zone, includeBots });
    const [totals, lastDay, last7Days, last30Days, books, countries, languages, devices, events] =
      await Promise.all([
        this.deps.counts.countTotals(filter),
        countRecent(1),
        countRecent(7),
        countRecent(30),
        this.deps.reports.allBooks(filter),
        this.deps.reports.allCountries(filter),
        this.deps.reports.countByLanguage(filter),
        this.deps.reports.countByDevice(filter),
        this.deps.downloadLog.list(filter, { limit: TOP, offset: 0 }),
      ]);
    const known = countries.filter(({ countryCode }) => countryCode !== "");
    return {
      totals: { ...totals, countries: known.length },
      funnel: computeFunnel(totals),
      legacyDownloads:
        from === undefined && until === undefined
          ? { books: sumLegacy(books), languages: sumLegacy(languages) }
          : { books: 0, languages: 0 },
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
  async #countRecent({
    days,
    today,
    ...where
  }: Where & { days: number; today: Temporal.PlainDate }): Promise<Recent> {
    const first = today.subtract({ days: days - 1 });
    const [now, previous] = await Promise.all([
      this.#countBetween(first, today, where),
      this.#countBetween(first.subtract({ days }), first.subtract({ days: 1 }), where),
    ]);
    return { ...now, previous, change: computeChanges(previous, now) };
  }

  async #countBetween(
    firstDay: Temporal.PlainDate,
    lastDay: Temporal.PlainDate,
    { zone, includeBots }: Where,
  ): Promise<DaysWithCounts> {
    const from = startOfDay(firstDay, zone);
    const until = startOfDay(lastDay.add({ days: 1 }), zone);
    const counts = await this.deps.counts.countTotals({ from, until, includeBots });
    return { startDate: firstDay.toString(), endDate: lastDay.toString(), ...counts };
  }
}

interface Where {
  zone: string;
  includeBots: boolean;
}

const computeFunnel = ({ downloads, redeemed }: Counts): Summary["funnel"] => ({
  requested: downloads,
  redeemed,
  rate: computeShare(redeemed, downloads),
});

const computeChanges = (previous: SummaryCounts, now: SummaryCounts): Changes => ({
  downloads: computeShare(now.downloads - previous.downloads, previous.downloads),
  redeemed: computeShare(now.redeemed - previous.redeemed, previous.redeemed),
  books: computeShare(now.books - previous.books, previous.books),
  contacts: computeShare(now.contacts - previous.contacts, previous.contacts),
});

/** Rounded to four decimal places; null if the whole is zero or unknown. */
const computeShare = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;

const sumLegacy = (rows: readonly { legacyDownloads: number }[]): number =>
  rows.reduce((sum, { legacyDownloads }) => sum + legacyDownloads, 0);
