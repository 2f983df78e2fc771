/** Analytics. */
import { session } from "../http/access.ts";
import { csvContent, json, ok, okCsv } from "../http/answers.ts";
import { defineRoute, type Route } from "../http/define-route.ts";
import { downloadExportQuery, downloadLog, downloadLogQuery } from "../schemas/analytics.schemas.ts";
import {
  byBook,
  byBookQuery,
  byCountry,
  byDate,
  byDateQuery,
  byDevice,
  byLanguage,
  reportQuery,
} from "../schemas/analytics-reports.schemas.ts";
import { analyticsSummary, summaryQuery } from "../schemas/analytics-summary.schemas.ts";

const tag = "Analytics";
const access = session("view_analytics");

const COUNTS =
  "`totalDownloads` counts requests, `totalBooks` the books that they asked for (a whole language has many), `uniqueContacts` distinct contacts, and `redeemed` the requests whose link was used. Bots are left out unless `includeBots=true`. `bookId` leaves the downloads that had this book, alone or within a whole language.";

const LEGACY =
  "`legacyDownloads` are from before this service, and part of no total; whoever has only those is listed when no filter and no date is given.";

const CSV_EXAMPLE =
  "id,downloadedAt,isDownloadAll,booksCount,ipAddress,countryCode,countryName,city,deviceType,browserName,browserVersion,osName,osVersion,referrer,utmSource,utmMedium,utmCampaign,bookTitle,fileType,fileName,languageName,languageCode,contactEmail,contactFirstName,contactLastName,redeemedAt,isBot\r\n" +
  "42,2026-03-01T12:00:00.000Z,0,1,203.0.113.7,KE,Kenya,Nairobi,mobile,Firefox,141.0,Android,15," +
  "https://books.example.org/,newsletter,,,The Deep Well,epub,pozo.epub,Spanish,es,reader@example.org,Sara,,2026-03-01T12:00:30.000Z,0\r\n";

export const analyticsRoutes: readonly Route[] = [
  defineRoute({
    id: "getAnalyticsSummary",
    method: "get",
    path: "/api/admin/analytics/summary",
    tag,
    summary: "Get the dashboard's summary",
    description:
      "Totals of all time; today, the last 7 and the last 30 days of the time zone (whole days, today is still under way) beside as many days before them; of each report the first ten rows; the latest ten events. `topCountries` has known ones only.",
    access,
    query: summaryQuery,
    answers: { 200: json("The summary", analyticsSummary) },
    handle: async ({ query }, { analytics }) => ok(await analytics.summary(query)),
  }),
  defineRoute({
    id: "listDownloadEvents",
    method: "get",
    path: "/api/admin/analytics/downloads",
    tag,
    summary: "Get the download event log, newest first",
    description:
      "Titles and names are those of the moment of the request. Bots are left out unless `includeBots=true`. `bookId` leaves the downloads that had this book, alone or within a whole language.",
    access,
    query: downloadLogQuery,
    answers: { 200: json("A page of events", downloadLog) },
    handle: async ({ query }, { analytics }) => ok(await analytics.downloads(query)),
  }),
  defineRoute({
    id: "exportDownloadEvents",
    method: "get",
    path: "/api/admin/analytics/downloads/export",
    tag,
    summary: "Export the download event log as CSV, newest first",
    description: "All events that the filters leave. Times are in UTC, or in `timezone` with its offset.",
    access,
    query: downloadExportQuery,
    answers: { 200: csvContent("The events", CSV_EXAMPLE) },
    handle: async ({ query, actor }, { analytics, audit }) =>
      okCsv(await audit.exported(actor.author, "downloadEvent", analytics.exportDownloads(query), query)),
  }),
  defineRoute({
    id: "getDownloadsByDate",
    method: "get",
    path: "/api/admin/analytics/by-date",
    tag,
    summary: "Count downloads by day, week, month or year",
    description: `${COUNTS} \`date\` is the first day of the period in the time zone; weeks begin on Monday. Of a period at an end of the range, only what lies within is counted. \`fill=true\` adds periods without downloads, up to the dates that are given. At most 10,000 periods are listed: more are refused.`,
    access,
    query: byDateQuery,
    answers: { 200: json("The periods, the oldest first", byDate) },
    handle: async ({ query }, { analytics }) => ok(await analytics.byDate(query)),
  }),
  defineRoute({
    id: "getDownloadsByBook",
    method: "get",
    path: "/api/admin/analytics/by-book",
    tag,
    summary: "Count downloads by book",
    description: `Of each book, \`totalDownloads\` counts the requests for it alone and \`redeemed\` those of them whose link was used; \`totalBooks\` counts these and the requests for a whole language that had it, \`uniqueContacts\` distinct contacts of both. Bots are left out unless \`includeBots=true\`. The title is that of today or, of a book that was deleted, the last one. ${LEGACY}`,
    access,
    query: byBookQuery,
    answers: {
      200: json("The books, those that were delivered most, alone or within a whole language, first", byBook),
    },
    handle: async ({ query }, { analytics }) => ok(await analytics.byBook(query)),
  }),
  defineRoute({
    id: "getDownloadsByCountry",
    method: "get",
    path: "/api/admin/analytics/by-country",
    tag,
    summary: "Count downloads by country",
    description: `${COUNTS} Downloads from unknown places have \`""\` as code and name.`,
    access,
    query: reportQuery,
    answers: { 200: json("The countries, those with the most downloads first", byCountry) },
    handle: async ({ query }, { analytics }) => ok(await analytics.byCountry(query)),
  }),
  defineRoute({
    id: "getDownloadsByLanguage",
    method: "get",
    path: "/api/admin/analytics/by-language",
    tag,
    summary: "Count downloads by language",
    description: `${COUNTS} Of a language that was deleted, code and name are those of its last download. ${LEGACY}`,
    access,
    query: reportQuery,
    answers: { 200: json("The languages, those with the most downloads first", byLanguage) },
    handle: async ({ query }, { analytics }) => ok(await analytics.byLanguage(query)),
  }),
  defineRoute({
    id: "getDownloadsByDevice",
    method: "get",
    path: "/api/admin/analytics/by-device",
    tag,
    summary: "Count downloads by type of device",
    description: COUNTS,
    access,
    query: reportQuery,
    answers: { 200: json("The types, those with the most downloads first", byDevice) },
    handle: async ({ query }, { analytics }) => ok(await analytics.byDevice(query)),
  }),
];
