/** What a dashboard shows at first sight. */
import { z } from "zod";
import { downloadEvent } from "./analytics.schemas.ts";
import {
  downloadsOfBook,
  downloadsOfCountry,
  downloadsOfDevice,
  downloadsOfLanguage,
} from "./analytics-reports.schemas.ts";
import { booleanParameter, count } from "./atoms.ts";
import { dateFields, withDates } from "./dates.ts";

export const summaryQuery = withDates(
  z.strictObject({
    timezone: dateFields.timezone,
    includeBots: booleanParameter
      .default(false)
      .describe("Set to true to include downloads by crawlers, link previews, monitors and scanners."),
  }),
);
export type SummaryQuery = z.output<typeof summaryQuery>;

const figures = z.object({
  downloads: count.describe("Number of requests for a download."),
  redeemed: count.meta({ description: "Downloads whose link was used." }),
  books: count.meta({ description: "Books that were asked for, each as often as it was." }),
  contacts: count.meta({ description: "Distinct contacts." }),
});
export type Figures = z.infer<typeof figures>;

const totals = figures
  .extend({ countries: count.meta({ description: "Known ones." }) })
  .meta({ examples: [{ downloads: 120, redeemed: 90, books: 300, contacts: 80, countries: 12 }] });

const share = (description: string) => z.number().nullable().meta({ description });
const change = share("A part of the former figure: 0.25 is a quarter more. Null when that was 0.");
const changes = z.object({
  downloads: change.describe(
    "Change of `downloads` as a fraction: 0.25 is a quarter more. Null when the previous value is 0.",
  ),
  redeemed: change.describe("Change of `redeemed` as a fraction."),
  books: change.describe("Change of `books` as a fraction."),
  contacts: change.describe("Change of `contacts` as a fraction."),
});
export type Changes = z.infer<typeof changes>;

/** Both days belong to it. */
const days = {
  startDate: z.iso.date().describe("First day, inclusive."),
  endDate: z.iso.date().describe("Last day, inclusive."),
};
const daysWithFigures = z.object({ ...days, ...figures.shape });
export type DaysWithFigures = z.infer<typeof daysWithFigures>;

const recent = daysWithFigures
  .extend({
    previous: daysWithFigures.describe("The same number of days directly before."),
    change: changes.describe("How the numbers differ from `previous`."),
  })
  .meta({
    id: "RecentDownloads",
    description: "Whole days, the last of which is today, and as many days before them.",
    examples: [
      {
        ...{ startDate: "2026-02-23", endDate: "2026-03-01" },
        ...{ downloads: 12, redeemed: 10, books: 40, contacts: 9 },
        previous: {
          ...{ startDate: "2026-02-16", endDate: "2026-02-22" },
          ...{ downloads: 16, redeemed: 8, books: 16, contacts: 9 },
        },
        change: { downloads: -0.25, redeemed: 0.25, books: 1.5, contacts: 0 },
      },
    ],
  });
export type Recent = z.infer<typeof recent>;

const funnel = z
  .object({
    requested: count.describe("Number of requested downloads."),
    redeemed: count.describe("Number of requests whose link was used."),
    rate: share("Redeemed of requested, from 0 to 1. Null when nothing was requested."),
  })
  .meta({ examples: [{ requested: 120, redeemed: 90, rate: 0.75 }] });

const legacyDownloads = z
  .object({
    books: count.describe("Sum of `legacyDownloadCount` of all books."),
    languages: count.describe("Sum of `legacyDownloadCount` of all languages."),
  })
  .meta({
    description: "From before this service, by book and by language: two counts of the same.",
    examples: [{ books: 1500, languages: 1500 }],
  });

export const analyticsSummary = z.object({
  totals: totals.describe("Counts of all time."),
  funnel: funnel.describe("How many requested downloads were downloaded."),
  legacyDownloads,
  today: recent.describe("Today so far, beside yesterday."),
  last7Days: recent.describe("The last 7 days including today, beside the 7 before."),
  last30Days: recent.describe("The last 30 days including today, beside the 30 before."),
  topBooks: z.array(downloadsOfBook).describe("Ten books with the most downloads."),
  topCountries: z.array(downloadsOfCountry).describe("Ten known countries with the most downloads."),
  topLanguages: z.array(downloadsOfLanguage).describe("Ten languages with the most downloads."),
  devices: z.array(downloadsOfDevice).describe("Downloads by type of device, the most first."),
  recentDownloads: z.array(downloadEvent).describe("Ten newest events."),
});
export type AnalyticsSummary = z.infer<typeof analyticsSummary>;
