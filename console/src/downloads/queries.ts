/** What the page of downloads reads. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, type QueryValues, receive, type Schemas } from "../api/client.ts";
import { listAll } from "../api/list-all.ts";
import { exportPath, filterLanguage, omitEmpty, PAGE_SIZE } from "../api/list-request.ts";
import { type Range, readRange } from "../dates/range.ts";

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

/** In the address and in requests alike; empty: no filter. */
export interface DownloadFilter extends Readonly<Range> {
  readonly search: string;
  readonly languageId: string;
  readonly bookId: string;
  readonly countryCode: string;
  readonly deviceType: string;
  readonly fileType: string;
  readonly utmSource: string;
  readonly utmMedium: string;
  readonly utmCampaign: string;
  readonly isRedeemed: string;
  readonly includeBots: string;
  readonly contactId: string;
}

/** @param timezone of a range that is relative to today */
export function readFilter(query: URLSearchParams, timezone: string): DownloadFilter {
  const read = (name: string) => query.get(name) ?? "";
  return {
    search: read("search"),
    languageId: read("languageId"),
    bookId: read("bookId"),
    countryCode: read("countryCode"),
    deviceType: read("deviceType"),
    fileType: read("fileType"),
    utmSource: read("utmSource"),
    utmMedium: read("utmMedium"),
    utmCampaign: read("utmCampaign"),
    isRedeemed: read("isRedeemed"),
    includeBots: read("includeBots"),
    contactId: read("contactId"),
    ...readRange(query, timezone),
  };
}

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
