/** What the overview reads. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, Problem, receive, type Schemas } from "../api/client.ts";
import { PATIENCE, retryQuery } from "../api/retry.ts";
import { countDays, findRangeBefore, type Range } from "../dates/range.ts";

export interface Period {
  range: Range;
  timezone: string;
}

/** Reports can't be given yet, because the service has started and still reads the downloads. */
export const isPreparing = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === "reports_in_preparation";

/** Waits while the downloads are being read. */
export const patient = { ...retryQuery(PATIENCE.preparation), staleTime: 60_000 };

export const inPeriod = ({ range, timezone }: Period) => ({ ...range, timezone });

/** At most about a hundred points. */
function chooseGranularity(range: Range): "day" | "week" | "month" {
  const days = countDays(range);
  return days <= 100 ? "day" : days <= 740 ? "week" : "month";
}

const countByDate = (period: Period, granularity: "day" | "week" | "month") =>
  receive(
    api.GET("/api/admin/analytics/by-date", {
      params: { query: { ...inPeriod(period), granularity, fill: true } },
    }),
  );

export interface Times {
  granularity: "day" | "week" | "month";
  now: Schemas["DownloadsOfPeriod"][];
  before: Schemas["DownloadsOfPeriod"][];
}

/** What was read for another range stays until that of the present one is here. */
const reportQuery = <Report>(name: string, period: Period, queryFn: () => Promise<Report>) =>
  queryOptions({
    ...patient,
    queryKey: ["reports", name, period],
    queryFn,
    placeholderData: keepPreviousData,
  });

/** Downloads over time, and those of the range before. */
export const timesQuery = (period: Period) =>
  reportQuery("by-date", period, async (): Promise<Times> => {
    const granularity = chooseGranularity(period.range);
    const before = { ...period, range: findRangeBefore(period.range) };
    const [now, then] = await Promise.all([period, before].map((each) => countByDate(each, granularity)));
    return { granularity, now: now?.data ?? [], before: then?.data ?? [] };
  });

const all = (period: Period) => ({ params: { query: inPeriod(period) } });

const TOP = 10;
const first = (period: Period) => ({ params: { query: { ...inPeriod(period), limit: TOP } } });

export const booksQuery = (period: Period) =>
  reportQuery("by-book", period, () => receive(api.GET("/api/admin/analytics/by-book", first(period))));

export const languagesReportQuery = (period: Period) =>
  reportQuery("by-language", period, () => receive(api.GET("/api/admin/analytics/by-language", all(period))));

export const countriesReportQuery = (period: Period) =>
  reportQuery("by-country", period, () => receive(api.GET("/api/admin/analytics/by-country", all(period))));

export const devicesQuery = (period: Period) =>
  reportQuery("by-device", period, () => receive(api.GET("/api/admin/analytics/by-device", all(period))));

export const campaignsQuery = (period: Period) =>
  reportQuery("by-campaign", period, () =>
    receive(api.GET("/api/admin/analytics/by-campaign", first(period))),
  );

export const latestQuery = (period: Period) =>
  reportQuery("latest", period, () => receive(api.GET("/api/admin/analytics/downloads", first(period))));
