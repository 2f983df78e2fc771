/** Reports that count downloads by what they have in common. */
import { z } from "zod";
import { GRANULARITIES } from "../lib/periods.ts";
import { reportFilter } from "./analytics.schemas.ts";
import { booleanParameter, count, uuid } from "./atoms.ts";
import { withDates } from "./dates.ts";

export const reportQuery = withDates(z.strictObject(reportFilter));

export const byDateQuery = withDates(
  z.strictObject({
    ...reportFilter,
    granularity: z.enum(GRANULARITIES).default("day").describe("Length of a period. Weeks begin on Monday."),
    /** Whether periods without downloads are listed too. */
    fill: booleanParameter.default(false).describe("Set to true to include periods without downloads."),
  }),
);

const { bookId: _, ...withoutBook } = reportFilter;
/** A whole language would bring all its other books into the report on one. */
export const byBookQuery = withDates(z.strictObject(withoutBook));

export type ReportQuery = z.output<typeof reportQuery>;
export type ByDateQuery = z.output<typeof byDateQuery>;
export type ByBookQuery = z.output<typeof byBookQuery>;

/** `redeemed`: of the downloads, those whose link was used. */
const counts = {
  totalDownloads: count.describe("Number of requests for a download."),
  totalBooks: count.describe("Number of books requested; a whole-language download counts all its books."),
  uniqueContacts: count.describe("Number of distinct contacts who requested downloads."),
  redeemed: count.describe("Number of those requests whose link was used to download at least once."),
};
/** From before this service; never part of the totals. */
const legacyDownloads = count
  .describe(
    "Downloads from before this service was installed, as entered by an administrator. Part of no other count.",
  )
  .describe(
    "Downloads from before this service was installed, as entered by an administrator. Part of no other count.",
  )
  .describe(
    "Downloads from before this service was installed, as entered by an administrator. Part of no other count.",
  )
  .describe(
    "Downloads from before this service was installed, as entered by an administrator. Part of no other count.",
  )
  .describe(
    "Downloads from before this service was installed, as entered by an administrator. Part of no other count.",
  );

const exampleCounts = { totalDownloads: 12, totalBooks: 40, uniqueContacts: 9, redeemed: 10 };

export const downloadsOfPeriod = z
  .object({ date: z.iso.date().describe("First day of the period, in the requested time zone."), ...counts })
  .meta({
    id: "DownloadsOfPeriod",
    description: "Downloads in one period.",
    examples: [{ date: "2026-03-02", ...exampleCounts }],
  });
export type DownloadsOfPeriod = z.infer<typeof downloadsOfPeriod>;

export const downloadsOfBook = z
  .object({
    bookId: uuid.describe("Identifier of the book, also after it was deleted."),
    bookTitle: z.string().describe("English title; of a deleted book, the last one."),
    ...counts,
    legacyDownloads,
  })
  .meta({
    id: "DownloadsOfBook",
    description:
      "Downloads of one book. `totalDownloads` and `redeemed` count requests for this book alone; the other counts include whole-language downloads that contain it.",
    examples: [
      {
        ...{ bookId: "01a1fb60-1a34-772b-a309-dba157e20a81", bookTitle: "The Deep Well" },
        ...{ ...exampleCounts, legacyDownloads: 1500 },
      },
    ],
  });
export type DownloadsOfBook = z.infer<typeof downloadsOfBook>;

export const downloadsOfCountry = z
  .object({
    countryCode: z.string().describe("ISO 3166-1 alpha-2 code; empty for unknown places."),
    countryName: z.string().describe("English name; empty for unknown places."),
    ...counts,
  })
  .meta({
    id: "DownloadsOfCountry",
    description: "Downloads from one country.",
    examples: [{ countryCode: "KE", countryName: "Kenya", ...exampleCounts }],
  });
export type DownloadsOfCountry = z.infer<typeof downloadsOfCountry>;

export const downloadsOfLanguage = z
  .object({
    ...{
      languageId: z.int().describe("Identifier of the language, also after it was deleted."),
      languageCode: z.string().describe("BCP 47 code; of a deleted language, the last one."),
      languageName: z.string().describe("English name; of a deleted language, the last one."),
    },
    ...{ ...counts, legacyDownloads },
  })
  .meta({
    id: "DownloadsOfLanguage",
    description: "Downloads in one language.",
    examples: [
      {
        ...{ languageId: 2, languageCode: "es", languageName: "Spanish" },
        ...{ ...exampleCounts, legacyDownloads: 1500 },
      },
    ],
  });
export type DownloadsOfLanguage = z.infer<typeof downloadsOfLanguage>;

export const downloadsOfDevice = z
  .object({ deviceType: z.string().describe("Type of the device, such as `mobile`."), ...counts })
  .meta({
    id: "DownloadsOfDevice",
    description: "Downloads by one type of device.",
    examples: [{ deviceType: "mobile", ...exampleCounts }],
  });
export type DownloadsOfDevice = z.infer<typeof downloadsOfDevice>;

export const byDate = z.object({
  data: z.array(downloadsOfPeriod).describe("One row for each period, the oldest first."),
});
export const byBook = z.object({
  data: z.array(downloadsOfBook).describe("One row for each book, the most delivered first."),
});
export const byCountry = z.object({
  data: z.array(downloadsOfCountry).describe("One row for each country, the most downloads first."),
});
export const byLanguage = z.object({
  data: z.array(downloadsOfLanguage).describe("One row for each language, the most downloads first."),
});
export const byDevice = z.object({
  data: z.array(downloadsOfDevice).describe("One row for each device type, the most downloads first."),
});
