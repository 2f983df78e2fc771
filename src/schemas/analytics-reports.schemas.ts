/** Reports that count downloads by period, book, country, language or device, and the dashboard summary. */
import { z } from "zod";
import { GRANULARITIES } from "../lib/calendar.ts";
import { downloadEvent, reportFilter } from "./analytics.schemas.ts";
import { booleanParameter, count, integerParameter, legacyDownloads, uuid } from "./atoms.ts";
import { dateFields, withDates } from "./dates.ts";

export const reportQuery = withDates(z.strictObject(reportFilter));

export const byDateQuery = withDates(
  z.strictObject({
    ...reportFilter,
    granularity: z.enum(GRANULARITIES).default("day").describe("Length of a period. Weeks begin on Monday."),
    /** Whether periods without downloads are included. */
    fill: booleanParameter.default(false).describe("Set to `true` to include periods without downloads."),
  }),
);

export const MAX_ROWS = 1000;

const limit = integerParameter(1, MAX_ROWS)
  .optional()
  .describe(
    "Number of rows, those with the highest `totalDownloads`. The response then counts all others in `others`.",
  );

const { bookId: _, ...withoutBook } = reportFilter;
/** Without `createBookId`: a whole-language download would add all its other books to the report. */
export const byBookQuery = withDates(z.strictObject({ ...withoutBook, limit }));
/** Of reports with many rows. */
export const limitedReportQuery = withDates(z.strictObject({ ...reportFilter, limit }));
export type ByBookQuery = z.output<typeof byBookQuery>;
export type LimitedReportQuery = z.output<typeof limitedReportQuery>;

export type ByDateQuery = z.output<typeof byDateQuery>;

/** Counts that every report has. */
const counts = {
  totalDownloads: count.describe("Number of requests for a download."),
  totalBooks: count.describe("Number of books requested; a whole-language download counts all its books."),
  uniqueContacts: count.describe("Number of distinct contacts who requested downloads."),
  redeemed: count.describe("Number of requests whose link was used at least once."),
};
const exampleCounts = { totalDownloads: 12, totalBooks: 40, uniqueContacts: 9, redeemed: 10 };

export const downloadsOfPeriod = z
  .object({ date: z.iso.date().describe("First day of the period, in the requested time zone."), ...counts })
  .meta({
    id: "DownloadsOfPeriod",
    description: "Downloads in one period.",
    example: { date: "2026-03-02", ...exampleCounts },
  });
export type DownloadsOfPeriod = z.infer<typeof downloadsOfPeriod>;

const downloadsOfBook = z
  .object({
    bookId: uuid.describe("Identifier of the book; kept after the book is deleted."),
    bookTitle: z.string().describe("English title; for a deleted book, the last one."),
    ...counts,
    legacyDownloads,
  })
  .meta({
    id: "DownloadsOfBook",
    description:
      "Downloads of one book. `totalDownloads` and `redeemed` count requests for this book alone; the other counts include whole-language downloads that contain it.",
    example: {
      bookId: "01a1fb60-1a34-772b-a309-dba157e20a81",
      bookTitle: "The Deep Well",
      ...exampleCounts,
      legacyDownloads: 1500,
    },
  });
export type DownloadsOfBook = z.infer<typeof downloadsOfBook>;

const downloadsOfCountry = z
  .object({
    countryCode: z.string().describe("ISO 3166-1 alpha-2 code; empty for unknown places."),
    countryName: z.string().describe("English name; empty for unknown places."),
    ...counts,
  })
  .meta({
    id: "DownloadsOfCountry",
    description: "Downloads from one country.",
    example: { countryCode: "KE", countryName: "Kenya", ...exampleCounts },
  });
export type DownloadsOfCountry = z.infer<typeof downloadsOfCountry>;

const downloadsOfLanguage = z
  .object({
    languageId: z.int().describe("Identifier of the language; kept after the language is deleted."),
    languageCode: z.string().describe("BCP 47 code; for a deleted language, the last one."),
    languageName: z.string().describe("English name; for a deleted language, the last one."),
    ...counts,
    legacyDownloads,
  })
  .meta({
    id: "DownloadsOfLanguage",
    description: "Downloads in one language.",
    example: {
      languageId: 2,
      languageCode: "es",
      languageName: "Spanish",
      ...exampleCounts,
      legacyDownloads: 1500,
    },
  });
export type DownloadsOfLanguage = z.infer<typeof downloadsOfLanguage>;

const downloadsOfDevice = z
  .object({ deviceType: z.string().describe("Device type, such as `mobile`."), ...counts })
  .meta({
    id: "DownloadsOfDevice",
    description: "Downloads by one device type.",
    example: { deviceType: "mobile", ...exampleCounts },
  });
export type DownloadsOfDevice = z.infer<typeof downloadsOfDevice>;

const downloadsOfCampaign = z
  .object({
    utmSource: z.string().nullable().describe("Value of `utm_source`; null for requests without it."),
    utmMedium: z.string().nullable().describe("Value of `utm_medium`; null for requests without it."),
    utmCampaign: z.string().nullable().describe("Value of `utm_campaign`; null for requests without it."),
    ...counts,
  })
  .meta({
    id: "DownloadsOfCampaign",
    description: "Downloads whose requests had the same campaign parameters.",
    example: { utmSource: "newsletter", utmMedium: "email", utmCampaign: "spring", ...exampleCounts },
  });
export type DownloadsOfCampaign = z.infer<typeof downloadsOfCampaign>;

const others = z
  .object({
    rows: count.describe("Number of rows that aren't listed."),
    totalDownloads: count.describe("Sum of their `totalDownloads`."),
    totalBooks: count.describe("Sum of their `totalBooks`."),
    uniqueContacts: count.describe("Number of distinct contacts of these rows together."),
  })
  .meta({
    id: "OtherDownloads",
    description: "The rows of a report after the first ones.",
    example: { rows: 14, totalDownloads: 30, totalBooks: 75, uniqueContacts: 21 },
  });
export type Others = z.infer<typeof others>;

const rowsOf = <S extends z.ZodType>(row: S, description: string) =>
  z.object({ data: z.array(row).describe(description) });
export const byDate = rowsOf(downloadsOfPeriod, "One row per period, oldest first.");
const givenOthers = others.optional().describe("Present if the request has a `limit`.");
export const byBook = rowsOf(
  downloadsOfBook,
  "One row per book, most delivered first; with `limit`, most downloads first.",
).extend({ others: givenOthers });
export const byCountry = rowsOf(downloadsOfCountry, "One row per country, most downloads first.").extend({
  others: givenOthers,
});
export const byCampaign = z.object({
  campaigns: z.array(downloadsOfCampaign).describe("One row per campaign, most downloads first."),
  others: others
    .optional()
    .describe("Present if the request has a `limit`, or if there are more than 1,000 rows."),
});
export const byLanguage = rowsOf(downloadsOfLanguage, "One row per language, most downloads first.");
export const byDevice = rowsOf(downloadsOfDevice, "One row per device type, most downloads first.");

export const summaryQuery = withDates(
  z.strictObject({
    ...dateFields,
    includeBots: reportFilter.includeBots,
  }),
);
export type SummaryQuery = z.output<typeof summaryQuery>;

const summaryCounts = z.object({
  downloads: count.describe("Number of requests for a download."),
  redeemed: count.describe("Number of requests whose link was used."),
  books: count.describe("Number of requested books; a whole-language download counts all its books."),
  contacts: count.describe("Number of distinct contacts who requested downloads."),
});
export type SummaryCounts = z.infer<typeof summaryCounts>;

const totals = summaryCounts
  .extend({ countries: count.describe("Number of distinct known countries.") })
  .meta({ example: { downloads: 120, redeemed: 90, books: 300, contacts: 80, countries: 12 } });

const share = z.number().nullable();
const changes = z.object({
  downloads: share.describe(
    "Change of `downloads` as a fraction of the previous value: 0.25 is an increase by a quarter. Null if the previous value is 0.",
  ),
  redeemed: share.describe("Change of `redeemed` as a fraction of the previous value."),
  books: share.describe("Change of `books` as a fraction of the previous value."),
  contacts: share.describe("Change of `contacts` as a fraction of the previous value."),
});
export type Changes = z.infer<typeof changes>;

const daysWithCounts = z.object({
  startDate: z.iso.date().describe("First day, inclusive."),
  endDate: z.iso.date().describe("Last day, inclusive."),
  ...summaryCounts.shape,
});
export type DaysWithCounts = z.infer<typeof daysWithCounts>;

const recent = daysWithCounts
  .extend({
    previous: daysWithCounts.describe("The preceding period of the same length."),
    change: changes.describe("Changes relative to `previous`."),
  })
  .meta({
    id: "RecentDownloads",
    description:
      "Counts for a number of days up to and including today, compared with the preceding period of the same length.",
    example: {
      startDate: "2026-02-23",
      endDate: "2026-03-01",
      downloads: 12,
      redeemed: 10,
      books: 40,
      contacts: 9,
      previous: {
        startDate: "2026-02-16",
        endDate: "2026-02-22",
        downloads: 16,
        redeemed: 8,
        books: 16,
        contacts: 9,
      },
      change: { downloads: -0.25, redeemed: 0.25, books: 1.5, contacts: 0 },
    },
  });
export type Recent = z.infer<typeof recent>;

const funnel = z
  .object({
    requested: count.describe("Number of requested downloads."),
    redeemed: count.describe("Number of requests whose link was used."),
    rate: share.describe("`redeemed` divided by `requested`, from 0 to 1. Null if nothing was requested."),
  })
  .meta({ example: { requested: 120, redeemed: 90, rate: 0.75 } });

const allLegacyDownloads = z
  .object({
    books: count.describe("Sum of `legacyDownloadCount` of all books."),
    languages: count.describe("Sum of `legacyDownloadCount` of all languages."),
  })
  .meta({
    description:
      "Downloads from before this service was installed, once summed by book and once by language. They have no dates: 0 within a date range.",
    example: { books: 1500, languages: 1500 },
  });

export const analyticsSummary = z.object({
  totals: totals.describe("Counts of all time, or of the date range."),
  funnel: funnel.describe("Share of requested downloads whose link was used."),
  legacyDownloads: allLegacyDownloads,
  today: recent.describe("Today so far, compared with yesterday."),
  last7Days: recent.describe("The last 7 days including today, compared with the 7 days before."),
  last30Days: recent.describe("The last 30 days including today, compared with the 30 days before."),
  topBooks: z.array(downloadsOfBook).describe("The ten books with the most downloads."),
  topCountries: z.array(downloadsOfCountry).describe("The ten known countries with the most downloads."),
  topLanguages: z.array(downloadsOfLanguage).describe("The ten languages with the most downloads."),
  devices: z.array(downloadsOfDevice).describe("Downloads by device type, most downloads first."),
  recentDownloads: z.array(downloadEvent).describe("The ten newest events."),
});
export type AnalyticsSummary = z.infer<typeof analyticsSummary>;
