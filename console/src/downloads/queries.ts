/** What the page of downloads reads. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, type QueryValues, receive, type Schemas } from "../api/client.ts";
import { listAll } from "../api/list-all.ts";
import { exportPath, filterLanguage, omitEmpty, PAGE_SIZE } from "../api/list-request.ts";
import { type Range, readRange } from "../dates/range.ts";
import { readTexts } from "../lib/address.ts";

export const DEVICE_TYPES = listAll<QueryValues["deviceType"]>()(
  "desktop",
  "mobile",
  "tablet",
  "tv",
  "console",
  "bot",
  "other",
);

export const FILE_TYPES = listAll<Schemas["FileType"]>()(
  "pdf",
  "epub",
  "mobi",
  "azw3",
  "kepub",
  "fb2",
  "djvu",
  "docx",
  "odt",
  "rtf",
  "txt",
  "html",
  "cbz",
  "mp3",
  "m4b",
  "zip",
);

/** Filters in the address and in requests alike; empty: not used. */
const TEXTS = [
  "search",
  "languageId",
  "bookId",
  "countryCode",
  "deviceType",
  "fileType",
  "utmSource",
  "utmMedium",
  "utmCampaign",
  "isRedeemed",
  "includeBots",
  "contactId",
] as const;

export interface DownloadFilter extends Readonly<Range>, Readonly<Record<(typeof TEXTS)[number], string>> {}

/** @param timezone of a range that is relative to today */
export const readFilter = (query: URLSearchParams, timezone: string): DownloadFilter => ({
  ...readTexts(query, TEXTS),
  ...readRange(query, timezone),
});

/** Only what is set, as the API takes it. */
function toQuery(filter: DownloadFilter, timezone: string) {
  const { languageId, deviceType, fileType, isRedeemed, includeBots, ...texts } = filter;
  const device = DEVICE_TYPES.find((each) => each === deviceType);
  const format = FILE_TYPES.find((each) => each === fileType);
  return {
    ...omitEmpty(texts),
    ...filterLanguage(languageId),
    ...(device && { deviceType: device }),
    ...(format && { fileType: format }),
    ...(isRedeemed !== "" && { isRedeemed: isRedeemed === "true" }),
    ...(includeBots === "true" && { includeBots: true }),
    timezone,
  };
}

export const downloadListQuery = (filter: DownloadFilter, timezone: string, page: number) =>
  queryOptions({
    queryKey: ["downloads", "list", filter, timezone, page],
    queryFn: () =>
      receive(
        api.GET("/api/admin/analytics/downloads", {
          params: { query: { ...toQuery(filter, timezone), page, limit: PAGE_SIZE } },
        }),
      ),
    placeholderData: keepPreviousData,
  });

/** The address of a file with all downloads that match. */
export const downloadExportPath = (filter: DownloadFilter, timezone: string): string =>
  exportPath("/api/admin/analytics/downloads/export", toQuery(filter, timezone));

/** The countries from which there are downloads. */
export const countriesQuery = queryOptions({
  queryKey: ["downloads", "countries"],
  queryFn: () => receive(api.GET("/api/admin/analytics/by-country")),
  staleTime: 600_000,
});
