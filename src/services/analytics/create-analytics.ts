/** Creates the services of reports on downloads. */
import type { Clock } from "../../adapters/system.ts";
import type { EventCounts } from "../../repositories/event-counts/event-counts.ts";
import type { ReportRepositories } from "../../repositories/index.ts";
import { AnalyticsService } from "./analytics.service.ts";
import { EventSearch } from "./event-search.ts";
import { AnalyticsSummary } from "./summary.ts";

interface Deps {
  reports: ReportRepositories;
  eventCounts: EventCounts;
  clock: Clock;
}

export function createAnalyticsServices({ reports, eventCounts: counts, clock }: Deps) {
  const { downloadLog, reportNames: names, eventExport } = reports;
  const search = new EventSearch({ titles: reports.eventTitles, addresses: reports.addresses });
  const analytics = new AnalyticsService({ counts, names, downloadLog, search, clock, export: eventExport });
  const analyticsSummary = new AnalyticsSummary({ counts, reports: analytics, downloadLog, clock });
  return { analytics, analyticsSummary };
}
