/** What the report reads: the reports of the API, and how many contacts there were at three moments. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, receive } from "../api/client.ts";
import { findRangeBefore } from "../dates/range.ts";
import { inPeriod, type Period, patient } from "../overview/queries.ts";
import { chooseGranularity, FIRST_DAY, findComparison } from "./periods.ts";

/** Whose report it is. @param language of the console, which can be another one than the browser's */
export const organisationQuery = (language: string) =>
  queryOptions({
    queryKey: ["library", "organisation", language],
    async queryFn() {
      const headers = { "Accept-Language": language };
      return (await receive(api.GET("/api/auth/session", { headers }))).organisation;
    },
  });

export interface Compared<Counts> {
  now: Counts;
  /** Undefined: there are no days before the range. */
  before: Counts | undefined;
}

async function readTotals(period: Period) {
  const query = inPeriod(period);
  return (await receive(api.GET("/api/admin/analytics/summary", { params: { query } }))).totals;
}

export type Totals = Awaited<ReturnType<typeof readTotals>>;

/** Of the range and of the one before. */
export const totalsQuery = (period: Period) =>
  queryOptions({
    ...patient,
    queryKey: ["reports", "totals", period],
    async queryFn(): Promise<Compared<Totals>> {
      const range = findComparison(period.range);
      const [now, before] = await Promise.all([
        readTotals(period),
        range && readTotals({ ...period, range }),
      ]);
      return { now, before };
    },
    placeholderData: keepPreviousData,
  });

/** By month, with those without downloads; a long range by year, without them. */
export const monthsQuery = (period: Period) =>
  queryOptions({
    ...patient,
    queryKey: ["reports", "months", period],
    async queryFn() {
      const granularity = chooseGranularity(period.range);
      const query = { ...inPeriod(period), granularity, fill: granularity === "month" };
      const { data } = await receive(api.GET("/api/admin/analytics/by-date", { params: { query } }));
      return { granularity, data };
    },
    placeholderData: keepPreviousData,
  });

/** The number of contacts whose first download was on this day or before. */
async function countContacts(endDate: string, timezone: string, marketing?: "yes"): Promise<number> {
  if (endDate < FIRST_DAY) return 0;
  const query = { endDate, timezone, limit: 1, ...(marketing && { marketing }) };
  const { pagination } = await receive(api.GET("/api/admin/contacts", { params: { query } }));
  return pagination.total;
}

export interface NewContacts {
  added: number;
  /** Of those, who allow marketing today. */
  agreed: number;
}

/** The contacts whose first download was in the range, and in the one before. */
export const newContactsQuery = ({ range, timezone }: Period) =>
  queryOptions({
    queryKey: ["contacts", "new", range, timezone],
    async queryFn(): Promise<Compared<NewContacts>> {
      const before = findComparison(range);
      const starts = [range.startDate, ...(before ? [before.startDate] : [])];
      const ends = [range.endDate, ...starts.map(findDayBefore)];
      const [all, agreed] = await Promise.all([
        Promise.all(ends.map((day) => countContacts(day, timezone))),
        Promise.all(ends.map((day) => countContacts(day, timezone, "yes"))),
      ]);
      const between = (index: number): NewContacts => ({
        added: (all[index] ?? 0) - (all[index + 1] ?? 0),
        agreed: (agreed[index] ?? 0) - (agreed[index + 1] ?? 0),
      });
      return { now: between(0), before: before && between(1) };
    },
    placeholderData: keepPreviousData,
  });

const findDayBefore = (day: string): string => findRangeBefore({ startDate: day, endDate: day }).endDate;
