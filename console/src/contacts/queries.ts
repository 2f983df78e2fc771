/** What the pages of contacts read and change. */
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, complete, ifMatch, longWork, type QueryValues, receive, type Schemas } from "../api/client.ts";
import { listAll } from "../api/list-all.ts";
import { exportPath, filterLanguage, omitEmpty, PAGE_SIZE } from "../api/list-request.ts";
import type { operations } from "../api/schema.d.ts";
import { type Range, readRange } from "../dates/range.ts";
import { readTexts } from "../lib/address.ts";

/** Whether a contact allows marketing. */
export const MARKETING = listAll<QueryValues["marketing"]>()(
  "yes",
  "no",
  "withdrawn",
  "conflict",
  "unknown",
  "pending",
);

/** Whether an address is confirmed. */
export const VERIFIED = ["true", "false"] as const;

type ExportFormat = NonNullable<NonNullable<operations["exportContacts"]["parameters"]["query"]>["format"]>;
export const EXPORT_FORMATS = listAll<ExportFormat>()("csv", "listmonk", "mailchimp");

/** Filters in the address and in requests alike; empty: not used. */
const TEXTS = [
  "search",
  "marketing",
  "verified",
  "languageId",
  "bookId",
  "country",
  "city",
  "utmCampaign",
] as const;

export interface ContactFilter extends Readonly<Range>, Readonly<Record<(typeof TEXTS)[number], string>> {}

/** @param timezone of a range that is relative to today */
export const readFilter = (query: URLSearchParams, timezone: string): ContactFilter => ({
  ...readTexts(query, TEXTS),
  ...readRange(query, timezone),
});

/** Only what is set, as the API takes it. */
function toQuery({ languageId, marketing, verified, ...texts }: ContactFilter, timezone: string) {
  const known = MARKETING.find((each) => each === marketing);
  return {
    ...omitEmpty(texts),
    ...filterLanguage(languageId),
    ...(known && { marketing: known }),
    ...(VERIFIED.some((each) => each === verified) && { verified: verified === "true" }),
    timezone,
  };
}

export const contactListQuery = (filter: ContactFilter, timezone: string, page: number) =>
  queryOptions({
    queryKey: ["contacts", "list", filter, timezone, page],
    queryFn: () =>
      receive(
        api.GET("/api/admin/contacts", {
          params: { query: { ...toQuery(filter, timezone), page, limit: PAGE_SIZE } },
        }),
      ),
    placeholderData: keepPreviousData,
  });

/** The address of a file with all contacts that match. */
export const contactExportPath = (filter: ContactFilter, timezone: string, format: ExportFormat): string =>
  exportPath("/api/admin/contacts/export", { format, ...toQuery(filter, timezone) });

/** Kept only while it is shown: after an erasure, the way back must not lead to it. */
export const contactQuery = (contactId: string) =>
  queryOptions({
    queryKey: ["contacts", "one", contactId],
    gcTime: 0,
    queryFn: () => receive(api.GET("/api/admin/contacts/{contactId}", { params: { path: { contactId } } })),
  });

/** The address of the document with everything that is stored about a contact. */
export const personalDataPath = (contactId: string): string =>
  `/api/admin/contacts/${encodeURIComponent(contactId)}/personal-data`;

/** @param version the state that the changes were made for; another one is a 412 */
export const updateContact = (
  contactId: string,
  body: Schemas["ContactUpdate"],
  version: string | undefined,
) =>
  receive(
    api.PATCH("/api/admin/contacts/{contactId}", {
      params: { path: { contactId }, header: ifMatch(version) },
      body,
    }),
  );

/** The contact no longer exists afterwards: it isn't read again, and what was read before of lists and downloads is forgotten. */
export function useErasure() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (contactId: string) =>
      complete(
        api.DELETE("/api/admin/contacts/{contactId}", { params: { path: { contactId } }, ...longWork }),
      ),
    onSuccess: () => queries.removeQueries({ type: "inactive" }),
  });
}
