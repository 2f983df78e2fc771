/** What is counted of downloads. */
import { DownloadLogQuery } from "../repositories/analytics/download-log.ts";
import { EventExport } from "../repositories/analytics/event-export.ts";
import { ReportNames } from "../repositories/analytics/report-names.ts";
import { AnalyticsService } from "../services/analytics.service.ts";
import { AnalyticsRows } from "../services/analytics-rows.ts";
import { AnalyticsSummary } from "../services/analytics-summary.ts";
import type { Uses } from "./uses.ts";

export function joinAnalytics({ database, eventCounts: counts, clock }: Uses): AnalyticsService {
  const { places, report: db, csv } = database;
  const downloadLog = new DownloadLogQuery(db);
  const rows = new AnalyticsRows({ counts, names: new ReportNames(db) });
  return new AnalyticsService({
    ...{ counts, rows, downloadLog },
    summary: new AnalyticsSummary({ counts, rows, downloadLog, clock }),
    export: new EventExport({ db: places, csv }),
  });
}
