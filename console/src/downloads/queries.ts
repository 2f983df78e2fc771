/** What the page of downloads reads. */
import { queryOptions } from "@tanstack/react-query";
import { api, type QueryValues, receive, type Schemas } from "../api/client.ts";
import { listAll } from "../api/list-all.ts";

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
const FILTERS = [
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

export type DownloadFilter = Readonly<Record<(typeof FILTERS)[number] | "startDate" | "endDate", string>>;

/** What the address says; `startDate` and `endDate` are read with the range. */
export function readFilter(query: URLSearchParams): Readonly<Record<(typeof FILTERS)[number], string>> {
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
  };
}

/** Only what is set, as the API takes it. */
function toQuery(filter: DownloadFilter, timezone: string) {
  const { languageId, deviceType, fileType, isRedeemed, includeBots, ...texts } = filter;
  const language = Number(languageId);
  const device = DEVICE_TYPES.find((each) => each === deviceType);
  const format = FILE_TYPES.find((each) => each === fileType);
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== "")),
    ...(Number.isInteger(language) && language > 0 && { languageId: language }),
    ...(device && { deviceType: device }),
    ...(format && { fileType: format }),
    ...(isRedeemed !== "" && { isRedeemed: isRedeemed === "true" }),
    ...(includeBots === "true" && { includeBots: true }),
    timezone,
  };
}

const PAGE_SIZE = 50;

export const downloadListQuery = (filter: DownloadFilter, timezone: string, page: number) =>
  queryOptions({
    queryKey: ["downloads", "list", filter, timezone, page],
    queryFn: () =>
      receive(
        api.GET("/api/admin/analytics/downloads", {
          params: { query: { ...toQuery(filter, timezone), page, limit: PAGE_SIZE } },
        }),
      ),
    placeholderData: (former) => former,
  });

/** The address of a file with all downloads that match. */
export function downloadExportPath(filter: DownloadFilter, timezone: string): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(toQuery(filter, timezone))) query.set(name, String(value));
  return `/api/admin/analytics/downloads/export?${query}`;
}

/** The countries from which there are downloads. */
export const countriesQuery = queryOptions({
  queryKey: ["downloads", "countries"],
  queryFn: () => receive(api.GET("/api/admin/analytics/by-country")),
  staleTime: 600_000,
});
