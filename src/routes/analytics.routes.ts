/** Analytics: counts, the event log and its export. */
import { session } from "../http/access.ts";
import { csvContent, json, ok, okCsv } from "../http/responses/responses.ts";
import { defineRoute } from "../http/route.ts";
import { downloadExportQuery, downloadLog, downloadLogQuery } from "../schemas/analytics.schemas.ts";
import {
  analyticsSummary,
  byBook,
  byBookQuery,
  byCampaign,
  byCountry,
  byDate,
  byDateQuery,
  byDevice,
  byLanguage,
  limitedReportQuery,
  reportQuery,
  summaryQuery,
} from "../schemas/analytics-reports.schemas.ts";

const access = session("view_analytics");

/** What the reports have in common. */
const REPORT = { method: "get", access, problems: [503], isCompressed: true } as const;

const COUNTS =
  "`totalDownloads` counts requests. `totalBooks` counts the requested books; a whole-language download counts all its books. `uniqueContacts` counts distinct contacts, and `redeemed` counts the requests whose link was used. Filters are combined with AND. Excludes bots unless `includeBots=true`. `bookId` limits the result to downloads that contain this book, alone or as part of a whole language.";

const LEGACY =
  "`legacyDownloads` counts downloads from before this service was installed and is not included in any total. Rows that have only legacy downloads appear when the request has no filter and no date.";

const CSV_EXAMPLE =
  "id,downloadedAt,isDownloadAll,booksCount,ipAddress,countryCode,countryName,city,deviceType,browserName,browserVersion,osName,osVersion,referrer,utmSource,utmMedium,utmCampaign,bookTitle,fileType,fileName,languageName,languageCode,contactEmail,contactFirstName,contactLastName,redeemedAt,isBot\r\n" +
  "42,2026-03-01T12:00:00.000Z,0,1,203.0.113.7,KE,Kenya,Nairobi,mobile,Firefox,141.0,Android,15," +
  "https://books.example.org/,newsletter,,,The Deep Well,epub,pozo.epub,Spanish,es,reader@example.org,Sara,,2026-03-01T12:00:30.000Z,0\r\n";

export const analyticsRoutes = [
  defineRoute({
    id: "getAnalyticsSummary",
    method: "get",
    path: "/api/admin/analytics/summary",
    summary: "Get the dashboard summary",
    description:
      "Returns the totals; counts for today, the last 7 days and the last 30 days, each compared with the preceding period of the same length; the first ten rows of each report; and the ten latest events. `startDate` and `endDate` limit all of it but the counts of recent days; without them, it is of all time. Days begin at midnight in `timezone`. Excludes bots unless `includeBots=true`.",
    access,
    query: summaryQuery,
    responses: { 200: json("The summary", analyticsSummary) },
    problems: [503],
    handle: async ({ query }, { analyticsSummary: dashboard }) => ok(await dashboard.summarize(query)),
  }),
  defineRoute({
    id: "listDownloadEvents",
    method: "get",
    path: "/api/admin/analytics/downloads",
    summary: "List download events",
    description:
      "Returns events, newest first. Titles and names are as they were when the download was requested. Filters are combined with AND. Excludes bots unless `includeBots=true`.",
    access,
    query: downloadLogQuery,
    responses: { 200: json("A page of events", downloadLog) },
    problems: [503],
    handle: async ({ query }, { analytics }) => ok(await analytics.listDownloads(query)),
  }),
  defineRoute({
    id: "exportDownloadEvents",
    method: "get",
    path: "/api/admin/analytics/downloads/export",
    summary: "Export download events as CSV",
    description:
      "Returns all matching events, newest first. Times are in UTC, or in `timezone` with its offset.",
    access,
    query: downloadExportQuery,
    responses: { 200: csvContent("The events", CSV_EXAMPLE) },
    handle: async ({ query, actor }, { analytics, audit }) =>
      okCsv(
        await audit.recordExport(
          actor.author,
          "downloadEvent",
          await analytics.exportDownloads(query),
          query,
        ),
      ),
  }),
  defineRoute({
    ...REPORT,
    id: "getDownloadsByDate",
    path: "/api/admin/analytics/by-date",
    summary: "Count downloads by day, week, month or year",
    description: `${COUNTS} \`date\` is the first day of the period in \`timezone\`. The first and the last period count only the days within the date range. \`fill=true\` adds periods without downloads, up to the given dates. Returns at most 10,000 periods.`,
    query: byDateQuery,
    responses: { 200: json("The periods, oldest first", byDate) },
    handle: async ({ query }, { analytics }) => ok({ data: await analytics.countByDate(query) }),
  }),
  defineRoute({
    ...REPORT,
    id: "getDownloadsByBook",
    path: "/api/admin/analytics/by-book",
    summary: "Count downloads by book",
    description: `\`totalDownloads\` and \`redeemed\` count requests for this book alone. \`totalBooks\` adds the whole-language downloads that contain it, and \`uniqueContacts\` counts the contacts of both. Excludes bots unless \`includeBots=true\`. The title is the current one; for a deleted book, the last one. ${LEGACY}`,
    query: byBookQuery,
    responses: {
      200: json("The books, most delivered first", byBook),
    },
    handle: async ({ query }, { analytics }) => ok(await analytics.countByBook(query)),
  }),
  defineRoute({
    ...REPORT,
    id: "getDownloadsByCountry",
    path: "/api/admin/analytics/by-country",
    summary: "Count downloads by country",
    description: `${COUNTS} Downloads from unknown places have an empty code and name.`,
    query: limitedReportQuery,
    responses: { 200: json("The countries, most downloads first", byCountry) },
    handle: async ({ query }, { analytics }) => ok(await analytics.countByCountry(query)),
  }),
  defineRoute({
    ...REPORT,
    id: "getDownloadsByCampaign",
    path: "/api/admin/analytics/by-campaign",
    summary: "Count downloads by campaign",
    description: `${COUNTS} Requests with the same \`utm_source\`, \`utm_medium\` and \`utm_campaign\` are one row; those without any are a row with nulls.`,
    query: limitedReportQuery,
    responses: { 200: json("The campaigns, most downloads first", byCampaign) },
    handle: async ({ query }, { analytics }) => {
      const { data: campaigns, ...others } = await analytics.byCampaign(query);
      return ok({ campaigns, ...others });
    },
  }),
  defineRoute({
    ...REPORT,
    id: "getDownloadsByLanguage",
    path: "/api/admin/analytics/by-language",
    summary: "Count downloads by language",
    description: `${COUNTS} A deleted language has the code and name of its last download; the downloads of a code that was deleted and added again are one row. ${LEGACY}`,
    query: reportQuery,
    responses: { 200: json("The languages, most downloads first", byLanguage) },
    handle: async ({ query }, { analytics }) => ok({ data: await analytics.countByLanguage(query) }),
  }),
  defineRoute({
    ...REPORT,
    id: "getDownloadsByDevice",
    path: "/api/admin/analytics/by-device",
    summary: "Count downloads by device type",
    description: COUNTS,
    query: reportQuery,
    responses: { 200: json("The device types, most downloads first", byDevice) },
    handle: async ({ query }, { analytics }) => ok({ data: await analytics.countByDevice(query) }),
  }),
];
