/** What reports may be narrowed to, and the log of download events. */
import { z } from "zod";
import {
  booleanParameter,
  count,
  flag,
  identifier,
  integerParameter,
  MAX_INT32,
  rawText,
  timestamp,
} from "./atoms.ts";
import { csvOptions } from "./csv.schemas.ts";
import { dateFields, withDates } from "./dates.ts";
import { pagination, pagingFields } from "./paging.ts";

export const DEVICE_TYPES = ["desktop", "mobile", "tablet", "tv", "console", "bot", "other"] as const;
export type DeviceType = (typeof DEVICE_TYPES)[number];

/** Of every report. */
export const reportFilter = {
  ...dateFields,
  languageId: integerParameter(1, MAX_INT32).optional(),
  bookId: identifier.optional(),
  countryCode: rawText({ max: 2, rawMax: 20 })
    .trim()
    .regex(/^[A-Za-z]{2}$/, "must be an ISO 3166 code of two letters")
    .toUpperCase()
    .optional(),
  deviceType: z.enum(DEVICE_TYPES).optional(),
  includeBots: booleanParameter.default(false),
};

export const downloadLogQuery = withDates(z.strictObject({ ...pagingFields, ...reportFilter }));
export const downloadExportQuery = withDates(z.strictObject({ ...reportFilter, ...csvOptions }));
export type DownloadLogQuery = z.output<typeof downloadLogQuery>;
export type DownloadExportQuery = z.output<typeof downloadExportQuery>;

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

/** The columns of the export, in their order. */
export const DOWNLOAD_COLUMNS = downloadEvent.keyof().options;

export const downloadLog = z.object({ downloads: z.array(downloadEvent), pagination });
