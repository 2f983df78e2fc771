/** The filters of the list of books: in the address of the page, and in the request. */
import { listAll } from "../api/list-all.ts";
import { omitEmpty } from "../api/list-request.ts";
import type { paths } from "../api/schema.d.ts";
import { findStartOfDay, isDay } from "../dates/range.ts";
import { readPage, readTexts } from "../lib/address.ts";

type Query = NonNullable<paths["/api/admin/books"]["get"]["parameters"]["query"]>;

/** Those that people ask for, of all that the service knows. A minus before a field: the greatest first. */
export const SORTS = [
  "sortOrder",
  "title",
  "-updatedAt",
  "-createdAt",
  "-downloads",
] as const satisfies readonly Query["sort"][];
export const STATUSES = listAll<NonNullable<Query["status"]>>()("active", "archived", "all");
export const MISSING = listAll<NonNullable<Query["missing"]>>()("translation", "file", "cover");

/** Filters by a text that is taken as it is, empty if it isn't used. */
const TEXTS = [
  "search",
  "languageCode",
  "publishedIn",
  "missingIn",
  "channel",
  "tag",
  "author",
  "series",
  "updatedSince",
] as const;

/** Those that are behind "More filters". */
export const MORE = [
  "publishedIn",
  "missing",
  "missingIn",
  "channel",
  "tag",
  "author",
  "series",
  "updatedSince",
] as const;

export interface BookFilter extends Readonly<Record<(typeof TEXTS)[number], string>> {
  readonly status: (typeof STATUSES)[number];
  readonly sort: (typeof SORTS)[number];
  readonly missing: (typeof MISSING)[number] | "";
  readonly page: number;
}

/** The filter in an address; what it doesn't name is the default. */
export function readFilter(query: URLSearchParams): BookFilter {
  const texts = readTexts(query, TEXTS);
  return {
    ...texts,
    updatedSince: isDay(texts.updatedSince) ? texts.updatedSince : "",
    status: STATUSES.find((status) => status === query.get("status")) ?? "active",
    sort: SORTS.find((sort) => sort === query.get("sort")) ?? "sortOrder",
    missing: MISSING.find((missing) => missing === query.get("missing")) ?? "",
    page: readPage(query),
  };
}

/** Whether a list lacks books that have its status. */
export const isFiltered = (filter: BookFilter): boolean =>
  [...TEXTS, "missing" as const].some((name) => filter[name] !== "");

/** Whether it is known in which language something is missing; only a cover can be missing without one. */
export const needsMissingIn = ({ missing, missingIn }: BookFilter): boolean =>
  missing !== "" && missing !== "cover" && missingIn === "";

/**
 * What is asked of the service: only what is set, and nothing that it would reject as incomplete.
 * @param timezone in which a day begins: the one in which the list shows when a book was changed
 */
export function writeRequest(filter: BookFilter, timezone: string) {
  const { page: _, missing, status, sort, updatedSince, ...texts } = filter;
  const { missingIn, ...others } = texts;
  const isMissing = missing !== "" && (missing === "cover" || missingIn !== "");
  return {
    status,
    sort,
    ...omitEmpty(others),
    ...(updatedSince !== "" && { updatedSince: findStartOfDay(updatedSince, timezone).toISOString() }),
    ...(isMissing && { missing, ...(missingIn !== "" && { missingIn }) }),
  };
}
