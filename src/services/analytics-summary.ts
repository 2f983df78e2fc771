/** What a dashboard shows at first sight: totals, the last days, and who is in front. */
import type { Clock } from "../adapters/clock.ts";
import { isoDay } from "../lib/periods.ts";
import { DAY } from "../lib/time.ts";
import { dayOf, startOfDay, type Zone, zoneOf } from "../lib/time-zone.ts";
import type { DownloadLogQuery } from "../repositories/analytics/download-log.ts";
import type { Counts, EventCounts } from "../repositories/analytics/event-counts.ts";
import type {
  Changes,
  DaysWithFigures,
  Figures,
  Recent,
  AnalyticsSummary as Summary,
  SummaryQuery,
} from "../schemas/analytics-summary.schemas.ts";
import type { AnalyticsRows } from "./analytics-rows.ts";
import { presentEvent } from "./presenters.ts";

/** How many of each are shown. */
const TOP = 10;

export class AnalyticsSummary {
  readonly #counts: EventCounts;
  readonly #rows: AnalyticsRows;
  readonly #downloadLog: DownloadLogQuery;
  readonly #clock: Clock;

  constructor(uses: {
    counts: EventCounts;
    rows: AnalyticsRows;
    downloadLog: DownloadLogQuery;
    clock: Clock;
  }) {
    this.#counts = uses.counts;
    this.#rows = uses.rows;
    this.#downloadLog = uses.downloadLog;
    this.#clock = uses.clock;
  }

  async of({ timezone, includeBots }: SummaryQuery): Promise<Summary> {
    const zone = zoneOf(timezone);
    const today = dayOf(this.#clock.now(), zone);
    const everything = { includeBots };
    const recent = (days: number) => this.#recent({ days, today, zone, includeBots });
    // Counts that are asked for together are of the same moment.
    const [totals, lastDay, last7Days, last30Days, books, countries, languages, devices, events] =
      await Promise.all([
        this.#counts.totals(everything),
        recent(1),
        recent(7),
        recent(30),
        this.#rows.byBook(everything),
        this.#rows.byCountry(everything),
        this.#rows.byLanguage(everything),
        this.#rows.byDevice(everything),
        this.#downloadLog.list(everything, { limit: TOP, offset: 0 }),
      ]);
    const known = countries.filter(({ countryCode }) => countryCode !== "");
    return {
      totals: { ...figuresOf(totals), countries: known.length },
      funnel: funnelOf(totals),
      legacyDownloads: { books: legacyOf(books), languages: legacyOf(languages) },
      ...{ today: lastDay, last7Days, last30Days },
      topBooks: books.slice(0, TOP),
      topCountries: known.slice(0, TOP),
      topLanguages: languages.slice(0, TOP),
      devices,
      recentDownloads: events.map(presentEvent),
    };
  }

  /** So many days, the last of which is today, beside as many before them. */
  async #recent({ days, today, ...where }: Where & { days: number; today: number }): Promise<Recent> {
    const first = today - (days - 1) * DAY;
    const [now, previous] = await Promise.all([
      this.#between(first, today, where),
      this.#between(first - days * DAY, first - DAY, where),
    ]);
    return { ...now, previous, change: changesFrom(previous, now) };
  }

  async #between(firstDay: number, lastDay: number, { zone, includeBots }: Where): Promise<DaysWithFigures> {
    const from = startOfDay(firstDay, zone);
    const until = startOfDay(lastDay + DAY, zone);
    const counts = await this.#counts.totals({ from, until, includeBots });
    return { startDate: isoDay(firstDay), endDate: isoDay(lastDay), ...figuresOf(counts) };
  }
}

interface Where {
  zone: Zone;
  includeBots: boolean;
}

const figuresOf = ({ downloads, redeemed, books, contacts }: Counts): Figures => ({
  ...{ downloads, redeemed, books, contacts },
});

const funnelOf = ({ downloads, redeemed }: Counts): Summary["funnel"] => ({
  ...{ requested: downloads, redeemed, rate: shareOf(redeemed, downloads) },
});

const changesFrom = (previous: Figures, now: Figures): Changes => ({
  downloads: shareOf(now.downloads - previous.downloads, previous.downloads),
  redeemed: shareOf(now.redeemed - previous.redeemed, previous.redeemed),
  books: shareOf(now.books - previous.books, previous.books),
  contacts: shareOf(now.contacts - previous.contacts, previous.contacts),
});

/** To four places; null of nothing. */
const shareOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;

const legacyOf = (rows: readonly { legacyDownloads: number }[]): number =>
  rows.reduce((sum, { legacyDownloads }) => sum + legacyDownloads, 0);
