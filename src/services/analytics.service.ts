/** What is known about downloads. */
import { invalidInput } from "../errors.ts";
import { type DateQuery, type DateRange, dateRange } from "../lib/date-range.ts";
import type { DownloadLogQuery as DownloadLog } from "../repositories/analytics/download-log.ts";
import type { DownloadEvent, DownloadLogQuery } from "../schemas/analytics.schemas.ts";
import { offsetOf, type Pagination, paginationOf } from "../schemas/paging.ts";
import { presentEvent } from "./presenters.ts";

export class AnalyticsService {
  readonly #downloadLog: DownloadLog;

  constructor(uses: { downloadLog: DownloadLog }) {
    this.#downloadLog = uses.downloadLog;
  }

  /** The event log, newest first. */
  async downloads(query: DownloadLogQuery): Promise<{ downloads: DownloadEvent[]; pagination: Pagination }> {
    const filter = { ...query, ...rangeOf(query) };
    const rows = await this.#downloadLog.list(filter, { limit: query.limit, offset: offsetOf(query) });
    return {
      downloads: rows.map(presentEvent),
      pagination: paginationOf(query, await this.#downloadLog.count(filter)),
    };
  }
}

/** The half-open range of a query's dates; every wrong date is named. */
function rangeOf({ startDate, endDate, timezone }: DateQuery): DateRange {
  const result = dateRange({ startDate, endDate, timezone });
  if (result.ok) return result.range;
  throw invalidInput(result.faults.map((fault) => ({ in: "query", ...fault })));
}
