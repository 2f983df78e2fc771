/** The log of download events. */
import { z } from "zod";
import { booleanParameter, count, flag, identifier, integerParameter, text, timestamp } from "./atoms.ts";
import { pagination, pagingFields } from "./paging.ts";

/** `startDate`, `endDate` and `timezone` are checked together by the date-range rules. */
export const dateFields = {
  startDate: text({ max: 40 }).optional(),
  endDate: text({ max: 40 }).optional(),
  timezone: text({ max: 64 }).optional(),
};

export const downloadLogQuery = z.strictObject({
  ...pagingFields,
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
});
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
  .meta({ id: "DownloadEvent" });
export type DownloadEvent = z.infer<typeof downloadEvent>;

export const downloadLog = z.object({ downloads: z.array(downloadEvent), pagination });
