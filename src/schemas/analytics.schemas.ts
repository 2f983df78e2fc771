/** The log of download events. */
import { z } from "zod";
import { type DateQuery, dateRange } from "../lib/date-range.ts";
import { booleanParameter, count, flag, identifier, integerParameter, text, timestamp } from "./atoms.ts";
import { pagination, pagingFields } from "./paging.ts";

const dateFields = {
  startDate: text({ max: 40 }).optional(),
  endDate: text({ max: 40 }).optional(),
  timezone: text({ max: 64 }).optional(),
};

/** What reports may be narrowed to. */
const reportFilter = {
  ...dateFields,
  languageId: integerParameter(1, 2_147_483_647).optional(),
  bookId: identifier.optional(),
  countryCode: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, "must be an ISO 3166 code of two letters")
    .optional(),
  deviceType: text({ max: 20 }).optional(),
  includeBots: booleanParameter.default(false),
};

const givenDates = z.object(dateFields);

/** The dates of a query belong together; they are checked also when other fields are wrong, so that all faults are named. */
function checkDates(query: unknown, context: z.core.$RefinementCtx): void {
  const dates = givenDates.safeParse(query);
  const result = dates.success ? dateRange(dates.data) : undefined;
  if (result === undefined || result.ok) return;
  for (const { path, message, code } of result.faults) {
    context.addIssue({ code: "custom", path: [path], message, params: { code } });
  }
}

/** The half-open range that the dates mean takes their place. */
function withRange<Q extends DateQuery>(query: Q) {
  const { startDate, endDate, timezone, ...rest } = query;
  const result = dateRange({ startDate, endDate, timezone });
  return { ...rest, ...(result.ok ? result.range : {}) };
}

export const downloadLogQuery = z
  .strictObject({ ...pagingFields, ...reportFilter })
  .superRefine(checkDates, { when: () => true })
  .transform(withRange);
export type DownloadLogQuery = z.output<typeof downloadLogQuery>;

export const downloadEvent = z
  .object({
    id: z.string(),
    downloadedAt: timestamp,
    isDownloadAll: flag,
    booksCount: count,
    ipAddress: z.string(),
    countryCode: z.string(),
    countryName: z.string(),
    city: z.string(),
    deviceType: z.string(),
    browserName: z.string(),
    browserVersion: z.string(),
    osName: z.string(),
    osVersion: z.string(),
    referrer: z.string(),
    utmSource: z.string().nullable(),
    utmMedium: z.string().nullable(),
    utmCampaign: z.string().nullable(),
    bookTitle: z.string(),
    fileType: z.string(),
    fileName: z.string(),
    languageName: z.string(),
    languageCode: z.string(),
    contactEmail: z.string(),
    contactFirstName: z.string(),
    contactLastName: z.string(),
    redeemedAt: timestamp.nullable(),
    isBot: flag,
  })
  .meta({
    id: "DownloadEvent",
    examples: [
      {
        id: "42",
        downloadedAt: "2026-03-01T12:00:00.000Z",
        isDownloadAll: 0,
        booksCount: 1,
        ipAddress: "203.0.113.7",
        countryCode: "KE",
        countryName: "Kenya",
        city: "Nairobi",
        deviceType: "mobile",
        browserName: "Firefox",
        browserVersion: "141.0",
        osName: "Android",
        osVersion: "15",
        referrer: "https://books.example.org/",
        utmSource: "newsletter",
        utmMedium: null,
        utmCampaign: null,
        bookTitle: "The Deep Well",
        fileType: "epub",
        fileName: "pozo.epub",
        languageName: "Spanish",
        languageCode: "es",
        contactEmail: "reader@example.org",
        contactFirstName: "Sara",
        contactLastName: "",
        redeemedAt: "2026-03-01T12:00:30.000Z",
        isBot: 0,
      },
    ],
  });
export type DownloadEvent = z.infer<typeof downloadEvent>;

export const downloadLog = z.object({ downloads: z.array(downloadEvent), pagination });
