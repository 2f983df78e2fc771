/** What is known about downloads. */
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
    const rows = await this.#downloadLog.list(query, { limit: query.limit, offset: offsetOf(query) });
    return {
      downloads: rows.map(presentEvent),
      pagination: paginationOf(query, await this.#downloadLog.count(query)),
    };
  }
}
