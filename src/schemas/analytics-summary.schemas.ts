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
  z.strictObject({ timezone: dateFields.timezone, includeBots: booleanParameter.default(false) }),
);
export type SummaryQuery = z.output<typeof summaryQuery>;

const figures = z.object({
  downloads: count,
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
const changes = z.object({ downloads: change, redeemed: change, books: change, contacts: change });
export type Changes = z.infer<typeof changes>;

/** Both days belong to it. */
const days = { startDate: z.iso.date(), endDate: z.iso.date() };
const daysWithFigures = z.object({ ...days, ...figures.shape });
export type DaysWithFigures = z.infer<typeof daysWithFigures>;

const recent = daysWithFigures.extend({ previous: daysWithFigures, change: changes }).meta({
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
    requested: count,
    redeemed: count,
    rate: share("Redeemed of requested, from 0 to 1. Null when nothing was requested."),
  })
  .meta({ examples: [{ requested: 120, redeemed: 90, rate: 0.75 }] });

const legacyDownloads = z.object({ books: count, languages: count }).meta({
  description: "From before this service, by book and by language: two counts of the same.",
  examples: [{ books: 1500, languages: 1500 }],
});

export const analyticsSummary = z.object({
  totals,
  funnel,
  legacyDownloads,
  today: recent,
  last7Days: recent,
  last30Days: recent,
  topBooks: z.array(downloadsOfBook),
  topCountries: z.array(downloadsOfCountry),
  topLanguages: z.array(downloadsOfLanguage),
  devices: z.array(downloadsOfDevice),
  recentDownloads: z.array(downloadEvent),
});
export type AnalyticsSummary = z.infer<typeof analyticsSummary>;
