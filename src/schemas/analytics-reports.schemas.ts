/** Reports that count downloads by what they have in common. */
import { z } from "zod";
import { GRANULARITIES } from "../lib/periods.ts";
import { reportFilter } from "./analytics.schemas.ts";
import { booleanParameter, count } from "./atoms.ts";
import { withDates } from "./dates.ts";

export const reportQuery = withDates(z.strictObject(reportFilter));

export const byDateQuery = withDates(
  z.strictObject({
    ...reportFilter,
    granularity: z.enum(GRANULARITIES).default("day"),
    /** Whether periods without downloads are listed too. */
    fill: booleanParameter.default(false),
  }),
);

const { bookId: _, ...withoutBook } = reportFilter;
/** A whole language would bring all its other books into the report on one. */
export const byBookQuery = withDates(z.strictObject(withoutBook));

export type ReportQuery = z.output<typeof reportQuery>;
export type ByDateQuery = z.output<typeof byDateQuery>;
export type ByBookQuery = z.output<typeof byBookQuery>;

/** `redeemed`: of the downloads, those whose link was used. */
const counts = { totalDownloads: count, totalBooks: count, uniqueContacts: count, redeemed: count };
/** From before this service; never part of the totals. */
const legacyDownloads = count;

const exampleCounts = { totalDownloads: 12, totalBooks: 40, uniqueContacts: 9, redeemed: 10 };

export const downloadsOfPeriod = z
  .object({ date: z.iso.date(), ...counts })
  .meta({ id: "DownloadsOfPeriod", examples: [{ date: "2026-03-02", ...exampleCounts }] });
export type DownloadsOfPeriod = z.infer<typeof downloadsOfPeriod>;

export const downloadsOfBook = z
  .object({ bookId: z.string(), bookTitle: z.string(), ...counts, legacyDownloads })
  .meta({
    id: "DownloadsOfBook",
    examples: [
      {
        ...{ bookId: "01a1fb60-1a34-772b-a309-dba157e20a81", bookTitle: "The Deep Well" },
        ...{ ...exampleCounts, legacyDownloads: 1500 },
      },
    ],
  });
export type DownloadsOfBook = z.infer<typeof downloadsOfBook>;

export const downloadsOfCountry = z
  .object({ countryCode: z.string(), countryName: z.string(), ...counts })
  .meta({
    id: "DownloadsOfCountry",
    examples: [{ countryCode: "KE", countryName: "Kenya", ...exampleCounts }],
  });
export type DownloadsOfCountry = z.infer<typeof downloadsOfCountry>;

export const downloadsOfLanguage = z
  .object({
    ...{ languageId: z.int(), languageCode: z.string(), languageName: z.string() },
    ...{ ...counts, legacyDownloads },
  })
  .meta({
    id: "DownloadsOfLanguage",
    examples: [
      {
        ...{ languageId: 2, languageCode: "es", languageName: "Spanish" },
        ...{ ...exampleCounts, legacyDownloads: 1500 },
      },
    ],
  });
export type DownloadsOfLanguage = z.infer<typeof downloadsOfLanguage>;

export const downloadsOfDevice = z.object({ deviceType: z.string(), ...counts }).meta({
  id: "DownloadsOfDevice",
  examples: [{ deviceType: "mobile", ...exampleCounts }],
});
export type DownloadsOfDevice = z.infer<typeof downloadsOfDevice>;

export const byDate = z.object({ data: z.array(downloadsOfPeriod) });
export const byBook = z.object({ data: z.array(downloadsOfBook) });
export const byCountry = z.object({ data: z.array(downloadsOfCountry) });
export const byLanguage = z.object({ data: z.array(downloadsOfLanguage) });
export const byDevice = z.object({ data: z.array(downloadsOfDevice) });
