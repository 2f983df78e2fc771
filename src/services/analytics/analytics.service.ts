/** Download reports and the event log. */
import type { Period } from "../../lib/calendar.ts";
import type { EventCounts } from "../../repositories/event-counts/event-counts.ts";
import type { DownloadLogQuery as DownloadLog } from "../../repositories/exports/download-log.ts";
import type { EventExport } from "../../repositories/exports/event-export.ts";
import {
  DOWNLOAD_COLUMNS,
  type DownloadEvent,
  type DownloadExportQuery,
  type DownloadLogQuery,
} from "../../schemas/analytics.schemas.ts";
import type {
  ByBookQuery,
  ByDateQuery,
  DownloadsOfBook,
  DownloadsOfCountry,
  DownloadsOfDevice,
  DownloadsOfLanguage,
  DownloadsOfPeriod,
  ReportQuery,
  AnalyticsSummary as Summary,
  SummaryQuery,
} from "../../schemas/analytics-reports.schemas.ts";
import { offsetOf, type Pagination, paginationOf } from "../../schemas/queries.ts";
import { presentEvent } from "../books/presenters.ts";
import { csvPages } from "../export-pages.ts";
import { type CsvDocument, csvOptionsOf, exportName } from "../results.ts";
import { type AnalyticsRows, NO_COUNTS, totalsOf } from "./rows.ts";
import { type AnalyticsSummary, listedPeriods, periodsOf } from "./summary.ts";

/** The rows of a report. */
type Data<Row> = Promise<{ data: Row[] }>;

interface AnalyticsServiceDeps {
  counts: EventCounts;
  rows: AnalyticsRows;
  summary: AnalyticsSummary;
  downloadLog: DownloadLog;
  export: EventExport;
}

export class AnalyticsService {
  readonly #deps: AnalyticsServiceDeps;

  constructor(deps: AnalyticsServiceDeps) {
    this.#deps = deps;
  }

  summary(query: SummaryQuery): Promise<Summary> {
    return this.#deps.summary.of(query);
  }

  /** The event log, newest event first. */
  async downloads(query: DownloadLogQuery): Promise<{ downloads: DownloadEvent[]; pagination: Pagination }> {
    const [rows, totals] = await Promise.all([
      this.#deps.downloadLog.list(query, { limit: query.limit, offset: offsetOf(query) }),
      this.#deps.counts.totals(query),
    ]);
    return { downloads: rows.map(presentEvent), pagination: paginationOf(query, totals.downloads) };
  }

  /** The whole event log as CSV, newest event first. */
  exportDownloads(query: DownloadExportQuery): CsvDocument {
    return {
      fileName: exportName("downloads", query),
      columns: DOWNLOAD_COLUMNS,
      pages: csvPages(this.#deps.export, query, query),
      ...csvOptionsOf(query),
    };
  }

  async byDate(query: ByDateQuery): Data<DownloadsOfPeriod> {
    const countsOf = async (periods: readonly Period[]) => {
      const starts = periods.map(({ start }) => start);
      const counted = await this.#deps.counts.byPeriod(query, [
        ...starts,
        ...periods.slice(-1).map(({ end }) => end),
      ]);
      return new Map(counted.map((counts) => [counts.start, counts]));
    };
    const periods = await periodsOf(query, await this.#deps.downloadLog.span(), async (years) => {
      const counts = await countsOf(years);
      return years.filter(({ start }) => counts.has(start));
    });
    const counts = await countsOf(periods);
    const listed = listedPeriods(query, periods, ({ start }) => counts.has(start));
    return {
      data: listed.map(({ date, start }) => ({ date, ...totalsOf(counts.get(start) ?? NO_COUNTS) })),
    };
  }

  async byBook(query: ByBookQuery): Data<DownloadsOfBook> {
    return { data: await this.#deps.rows.byBook(query) };
  }

  async byCountry(query: ReportQuery): Data<DownloadsOfCountry> {
    return { data: await this.#deps.rows.byCountry(query) };
  }

  async byLanguage(query: ReportQuery): Data<DownloadsOfLanguage> {
    return { data: await this.#deps.rows.byLanguage(query) };
  }

  async byDevice(query: ReportQuery): Data<DownloadsOfDevice> {
    return { data: await this.#deps.rows.byDevice(query) };
  }
}
