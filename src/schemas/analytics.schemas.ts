/** Filters of all reports, and the log of download events. */
import { z } from "zod";
import { toOneLine } from "../lib/one-line.ts";
import {
  booleanParameter,
  count,
  flag,
  identifier,
  rawText,
  rowId,
  searchText,
  text,
  timestamp,
  uuid,
} from "./atoms.ts";
import { dateFields, withDates } from "./dates.ts";
import { FILE_TYPES } from "./file-types.ts";
import { csvOptions, pagination, pagingFields } from "./queries.ts";

export const DEVICE_TYPES = ["desktop", "mobile", "tablet", "tv", "console", "bot", "other"] as const;
export type DeviceType = (typeof DEVICE_TYPES)[number];

/** As long as stored parameters can be. */
const campaignParameter = text({ max: 200 }).optional();

/** Filters of every report. */
export const reportFilter = {
  ...dateFields,
  languageId: rowId.optional().describe("Limits the result to downloads in this language."),
  bookId: identifier
    .optional()
    .describe("Limits the result to downloads that contain this book, alone or as part of a whole language."),
  countryCode: rawText({ max: 2, rawMax: 20 })
    .overwrite(toOneLine)
    .regex(/^[A-Za-z]{2}$/, "must be an ISO 3166 code of two letters")
    .toUpperCase()
    .optional()
    .describe("Limits the result to downloads from this country: an ISO 3166-1 alpha-2 code, such as `KE`."),
  deviceType: z.enum(DEVICE_TYPES).optional().describe("Limits the result to downloads by this device type."),
  fileType: z
    .enum(FILE_TYPES)
    .optional()
    .describe("Limits the result to downloads of this format; `zip` also selects whole languages."),
  utmSource: campaignParameter.describe("Limits the result to requests with this `utm_source`, exactly."),
  utmMedium: campaignParameter.describe("Limits the result to requests with this `utm_medium`, exactly."),
  utmCampaign: campaignParameter.describe("Limits the result to requests with this `utm_campaign`, exactly."),
  isRedeemed: booleanParameter
    .optional()
    .describe("Limits the result to requests whose link was used (`true`), or wasn't (`false`)."),
  includeBots: booleanParameter
    .default(false)
    .describe("Set to `true` to include downloads by crawlers, link previews, monitors and scanners."),
};

const logFilter = {
  ...reportFilter,
  contactId: identifier.optional().describe("Limits the result to downloads by this contact."),
  search: searchText
    .optional()
    .describe(
      "Limits the result to downloads with all these words in the title or the e-mail address, in any order, regardless of case and accents.",
    ),
};

export const downloadLogQuery = withDates(z.strictObject({ ...pagingFields, ...logFilter }));
export const downloadExportQuery = withDates(z.strictObject({ ...logFilter, ...csvOptions }));
export type DownloadLogQuery = z.output<typeof downloadLogQuery>;
export type DownloadExportQuery = z.output<typeof downloadExportQuery>;

/** The fields of an event, in the order of the export. */
const eventFields = z.object({
  id: z.string().describe("Identifier of the event."),
  downloadedAt: timestamp.describe("Time of the request."),
  isDownloadAll: flag.describe("1 for a download of a whole language, 0 for a single book."),
  booksCount: count.describe("Number of books in the download."),
  ipAddress: z
    .string()
    .describe("IP address of the reader, in the form that `IP_STORAGE` keeps; empty if it isn't stored."),
  countryCode: z.string().describe("ISO 3166-1 alpha-2 code of the reader's country; empty if unknown."),
  countryName: z.string().describe("English name of the reader's country; empty if unknown."),
  city: z.string().describe("English name of the reader's city; empty when unknown."),
  deviceType: z.string().describe("Device type of the reader, such as `mobile`."),
  browserName: z.string().describe("Name of the reader's browser or app; empty when unknown."),
  browserVersion: z.string().describe("Version of the browser or app; empty when unknown."),
  osName: z.string().describe("Name of the operating system; empty when unknown."),
  osVersion: z.string().describe("Version of the operating system; empty when unknown."),
  referrer: z.string().describe("URL of the page that led to the download; empty if unknown."),
  utmSource: z.string().nullable().describe("Value of `utm_source` in the request."),
  utmMedium: z.string().nullable().describe("Value of `utm_medium` in the request."),
  utmCampaign: z.string().nullable().describe("Value of `utm_campaign` in the request."),
  bookTitle: z.string().describe("English title of the book; `All books` for a whole language."),
  fileType: z.string().describe("Format of the file; `zip` for a whole language."),
  fileName: z.string().describe("Name of the requested file."),
  languageName: z.string().describe("English name of the language."),
  languageCode: z.string().describe("BCP 47 code of the language."),
  contactEmail: z.string().describe("E-mail address of the contact; empty after the contact was erased."),
  contactFirstName: z.string().describe("First name of the contact; empty after the contact was erased."),
  contactLastName: z
    .string()
    .describe("Last name of the contact; empty if not given, or after the contact was erased."),
  redeemedAt: timestamp.nullable().describe("Time at which the link was first used; null if it wasn't used."),
  isBot: flag.describe(
    "1 if the request came from a crawler, link preview, monitor or scanner; 0 for a reader.",
  ),
});

const eventExample = {
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
};

const OF_CONTACT = { contactEmail: true, contactFirstName: true, contactLastName: true } as const;

const IN_HISTORY = {
  id: true,
  downloadedAt: true,
  isDownloadAll: true,
  booksCount: true,
  countryCode: true,
  countryName: true,
  city: true,
  deviceType: true,
  browserName: true,
  bookTitle: true,
  fileType: true,
  languageName: true,
  languageCode: true,
} as const;

export const personalEventFields = eventFields.omit(OF_CONTACT);
const historyFields = eventFields.pick(IN_HISTORY);

// In the document, each event extends the smaller one.

export const contactEvent = historyFields.meta({
  id: "ContactEvent",
  description: "A download in the history of a contact.",
  example: historyFields.parse(eventExample),
});
export type ContactEvent = z.infer<typeof contactEvent>;

export const personalEvent = contactEvent.and(personalEventFields.omit(IN_HISTORY)).meta({
  id: "PersonalEvent",
  description: "A download in the personal data of a contact.",
  example: personalEventFields.parse(eventExample),
});
export type PersonalEvent = z.infer<typeof personalEventFields>;

/** The records of an event; the export has their names only. */
const idsOfEvent = z.object({
  bookId: uuid
    .nullable()
    .describe("Identifier of the book, also after its deletion; null for a whole language."),
  languageId: z.int().describe("Identifier of the language, also after its deletion."),
  contactId: uuid.nullable().describe("Identifier of the contact; null after the contact was erased."),
});

const loggedEventFields = eventFields.extend(idsOfEvent.shape);

export const downloadEvent = personalEvent
  .and(eventFields.pick(OF_CONTACT))
  .and(idsOfEvent)
  .meta({
    id: "DownloadEvent",
    description:
      "One accepted request for a download. Titles and names are as they were when the download was requested.",
    example: {
      ...eventExample,
      bookId: "01a1fb60-1a34-772b-a309-dba157e20a81",
      languageId: 2,
      contactId: "01a1fb60-1a34-7c3d-9a10-5b2f8e6d7c91",
    },
  });
export type DownloadEvent = z.infer<typeof loggedEventFields>;

/** The columns of the export, in order. */
export const DOWNLOAD_COLUMNS = eventFields.keyof().options;

export const downloadLog = z.object({
  downloads: z.array(downloadEvent).describe("Events on this page, newest first."),
  pagination,
});
