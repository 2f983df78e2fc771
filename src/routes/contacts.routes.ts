/** Contacts. */
import { session } from "../http/access.ts";
import { jsonBody } from "../http/requests/body.ts";
import { csvContent, json, ok, okCsv, okDocument } from "../http/responses/responses.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { success } from "../schemas/atoms.ts";
import {
  contactDetails,
  contactExportQuery,
  contactList,
  contactListQuery,
  contactParams,
  contactUpdate,
  contactUpdated,
  personalData,
} from "../schemas/contacts.schemas.ts";

const tag = "Contacts";

const FILTERS = `All filters hold together:
- \`search\`: words, each of which occurs in the name, the e-mail address, the phone or the country, in any order, whatever case and accents. A phone number is found however it was spaced.
- \`languageId\`, \`startDate\`, \`endDate\` (in \`timezone\`), \`city\` and \`country\` speak of one download: there is one that was in this language, in this time, from this city and from this country.
- \`city\`: words of its name, whatever case and accents.
- \`country\`: its code or its English name, or else words of a name, whatever case and accents. It holds too where the contact has written it (the field \`country\`).

What a contact shows needs no download that is still on record: a \`country\` that they have written, asked for alone or with a search; \`firstDownloadAt\` and \`lastDownloadAt\`, where one of the two dates is all that is asked of downloads.`;

const CSV_EXAMPLE =
  "id,email,firstName,lastName,phone,country,firstDownloadAt,lastDownloadAt,totalDownloads," +
  "consentMarketing,consentTextVersion,consentLanguageCode,consentGivenAt,consentState\r\n" +
  "01a1fb60-1a34-772b-a309-dba157e20a85,reader@example.org,Sara,Núñez,,Kenya,2026-03-01T12:00:00.000Z," +
  "2026-03-08T09:30:00.000Z,3,true,2026-03,es,2026-03-08T09:30:00.000Z,agreed\r\n";

export const contactsRoutes: readonly Route[] = [
  defineRoute({
    id: "listContacts",
    method: "get",
    path: "/api/admin/contacts",
    tag,
    summary: "List contacts",
    description: FILTERS,
    access: session("view_contacts"),
    query: contactListQuery,
    responses: { 200: json("A page of contacts", contactList) },
    handle: async ({ query }, { contacts }) => ok(await contacts.list(query)),
  }),
  defineRoute({
    id: "exportContacts",
    method: "get",
    path: "/api/admin/contacts/export",
    tag,
    summary: "Export the contacts as CSV, the newest first",
    description: `\`consentMarketing\` is whether marketing is allowed, \`consentState\` why; the other cells of the consent are those of the latest statement. All are empty for a contact who has stated nothing. Times are in UTC, or in \`timezone\` with its offset.\n\n${FILTERS}`,
    access: session("view_contacts"),
    query: contactExportQuery,
    responses: { 200: csvContent("The contacts", CSV_EXAMPLE) },
    handle: async ({ query, actor }, { contacts, audit }) =>
      okCsv(await audit.exported(actor.author, "contact", await contacts.export(query), query)),
  }),
  defineRoute({
    id: "getContact",
    method: "get",
    path: "/api/admin/contacts/{contactId}",
    tag,
    summary: "Get a contact with their consents and downloads, the newest first",
    description:
      "`consent` is what counts now, `consents` the ledger of all statements. At most the latest 1,000 downloads; all of them are in the personal data.",
    access: session("view_contacts"),
    params: contactParams,
    responses: { 200: json("The contact and their downloads", contactDetails) },
    handle: async ({ params }, { contacts }) => ok(await contacts.details(params.contactId)),
  }),
  defineRoute({
    id: "exportPersonalData",
    method: "get",
    path: "/api/admin/contacts/{contactId}/personal-data",
    tag,
    summary: "Export everything that is on record about one person",
    description:
      "The contact, all that they have stated about marketing and what counts of it, and all their downloads with addresses, as JSON to be saved: the answer to somebody who asks what is known about them. The audit log keeps who asked for it.",
    access: session("view_contacts"),
    params: contactParams,
    responses: { 200: json("All of it", personalData) },
    handle: async ({ params, actor }, { contacts, audit }) => {
      const document = await contacts.personalData(params.contactId);
      await audit.disclosed(actor.author, params.contactId);
      return okDocument(document);
    },
  }),
  defineRoute({
    id: "updateContact",
    method: "put",
    path: "/api/admin/contacts/{contactId}",
    tag,
    summary: "Correct a contact, or settle a consent",
    description:
      "Only the fields that are given change; the e-mail address stays. `marketing` is a decision that goes to the ledger of consents with your name: it ends a `conflict`, and what was stated before it doesn't count any more. A yes needs a text version that counts. The audit log keeps that something changed, by whom, and the contact's id, but no value.",
    access: session("edit_contacts"),
    params: contactParams,
    body: jsonBody(contactUpdate),
    responses: { 200: json("The contact as it is now", contactUpdated) },
    handle: async ({ params, body, actor }, { contactCorrection }) =>
      ok({ success: true, contact: await contactCorrection.correct(actor.author, params.contactId, body) }),
  }),
  defineRoute({
    id: "eraseContact",
    method: "delete",
    path: "/api/admin/contacts/{contactId}",
    tag,
    summary: "Erase a person",
    description:
      "The contact goes with all that they agreed to. Their downloads stay in every total, without contact, address and referrer, also those that are still to come by a link of theirs. The audit log keeps that it was done, by whom, and the id.",
    access: session("edit_contacts"),
    params: contactParams,
    responses: { 200: json("Erased", success) },
    handle: async ({ params, actor }, { contactErasure }) => {
      await contactErasure.erase(actor.author, params.contactId);
      return ok({ success: true });
    },
  }),
];
