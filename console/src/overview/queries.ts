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

/** Downloads over time, and those of the range before. */
export const timesQuery = (period: Period) =>
  queryOptions({
    ...patient,
    queryKey: ["reports", "by-date", period],
    async queryFn(): Promise<Times> {
      const granularity = chooseGranularity(period.range);
      const before = { ...period, range: findRangeBefore(period.range) };
      const [now, then] = await Promise.all([period, before].map((each) => countByDate(each, granularity)));
      return { granularity, now: now?.data ?? [], before: then?.data ?? [] };
    },
    placeholderData: keepPreviousData,
  });

const TOP = 10;

export const booksQuery = (period: Period) =>
  queryOptions({
    ...patient,
    queryKey: ["reports", "by-book", period],
    queryFn: () =>
      receive(
        api.GET("/api/admin/analytics/by-book", { params: { query: { ...inPeriod(period), limit: TOP } } }),
      ),
    placeholderData: keepPreviousData,
  });

export const languagesReportQuery = (period: Period) =>
  queryOptions({
    ...patient,
    queryKey: ["reports", "by-language", period],
    queryFn: () =>
      receive(api.GET("/api/admin/analytics/by-language", { params: { query: inPeriod(period) } })),
    placeholderData: keepPreviousData,
  });

export const countriesReportQuery = (period: Period) =>
  queryOptions({
    ...patient,
    queryKey: ["reports", "by-country", period],
    queryFn: () =>
      receive(api.GET("/api/admin/analytics/by-country", { params: { query: inPeriod(period) } })),
    placeholderData: keepPreviousData,
  });

export const devicesQuery = (period: Period) =>
  queryOptions({
    ...patient,
    queryKey: ["reports", "by-device", period],
    queryFn: () =>
      receive(api.GET("/api/admin/analytics/by-device", { params: { query: inPeriod(period) } })),
    placeholderData: keepPreviousData,
  });

export const campaignsQuery = (period: Period) =>
  queryOptions({
    ...patient,
    queryKey: ["reports", "by-campaign", period],
    queryFn: () =>
      receive(
        api.GET("/api/admin/analytics/by-campaign", {
          params: { query: { ...inPeriod(period), limit: TOP } },
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const latestQuery = (period: Period) =>
  queryOptions({
    ...patient,
    queryKey: ["reports", "latest", period],
    queryFn: () =>
      receive(
        api.GET("/api/admin/analytics/downloads", { params: { query: { ...inPeriod(period), limit: TOP } } }),
      ),
    placeholderData: keepPreviousData,
  });
