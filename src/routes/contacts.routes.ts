/** Contacts. */
import { session } from "../http/access.ts";
import { jsonBody } from "../http/requests/body.ts";
import {
  confirmDeletion,
  csvContent,
  json,
  ok,
  okCsv,
  okDocument,
  versioned,
  withVersion,
} from "../http/responses/responses.ts";
import { defineRoute } from "../http/route.ts";
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

const FILTERS = `Filters are combined with AND.
- \`search\`: every word must occur in the name, e-mail address, phone number or country, in any order. Case, accents and the spacing of phone numbers are ignored.
- \`languageId\`, \`bookId\`, \`utmCampaign\`, \`startDate\`, \`endDate\` (in \`timezone\`), \`city\` and \`country\` must all match the same download.
- \`city\`: words of the city's name. Case and accents are ignored.
- \`country\`: a code, an English name, or words of a name. Case and accents are ignored. Also matches the country that the contact gave (the field \`country\`).

Two filters also match contacts whose downloads are no longer stored: \`country\`, alone or with \`search\`, by the country that the contact gave; and \`startDate\` or \`endDate\`, as the only filter on downloads, by \`lastDownloadAt\` or \`firstDownloadAt\`.`;

const CSV_EXAMPLE =
  "id,email,firstName,lastName,phone,country,firstDownloadAt,lastDownloadAt,totalDownloads," +
  "consentMarketing,consentTextVersion,consentLanguageCode,consentGivenAt,consentState," +
  "marketing,marketingTextVersion,marketingAt\r\n" +
  "01a1fb60-1a34-772b-a309-dba157e20a85,reader@example.org,Sara,Núñez,,Kenya,2026-03-01T12:00:00.000Z," +
  "2026-03-08T09:30:00.000Z,3,true,2026-03,es,2026-03-08T09:30:00.000Z,agreed," +
  "yes,2026-03,2026-03-08T09:30:00.000Z\r\n";

export const contactsRoutes = [
  defineRoute({
    id: "listContacts",
    method: "get",
    path: "/api/admin/contacts",
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
    summary: "Export contacts as CSV",
    description: `Returns all matching contacts, newest first. \`consentMarketing\` states whether marketing is allowed, and \`consentState\` why; the other consent columns are those of the latest statement. All consent columns are empty if the contact has made no statement. Times are in UTC, or in \`timezone\` with its offset. \`format=listmonk\` has the columns \`email,name,attributes\`, the last one as JSON; \`format=mailchimp\` has \`Email Address,First Name,Last Name,Phone Number,Tags\`, with the language of the consent as tag. Both contain contacts with \`marketing=yes\` only, and values as they are (\`raw\`), because programs import them. The name of the file, also in the audit log, says what it contains, with the range or the day.\n\n${FILTERS}`,
    access: session("view_contacts"),
    query: contactExportQuery,
    responses: { 200: csvContent("The contacts", CSV_EXAMPLE) },
    handle: async ({ query, actor }, { contacts, audit }) =>
      okCsv(await audit.recordExport(actor.author, "contact", await contacts.export(query), query)),
  }),
  defineRoute({
    id: "getContact",
    method: "get",
    path: "/api/admin/contacts/{contactId}",
    databaseLimit: "record",
    summary: "Get a contact with consents and downloads",
    description:
      "`consent` is the current state, and `consents` is the ledger of all statements, also those for former addresses. Returns the latest 1,000 downloads, newest first; `GET /api/admin/contacts/{contactId}/personal-data` returns all of them.",
    access: session("view_contacts"),
    params: contactParams,
    responses: { 200: versioned("The contact and their downloads", contactDetails) },
    handle: async ({ params }, { contacts }) => {
      const details = await contacts.readDetails(params.contactId);
      return withVersion(ok(details), details.contact);
    },
  }),
  defineRoute({
    id: "exportPersonalData",
    method: "get",
    path: "/api/admin/contacts/{contactId}/personal-data",
    summary: "Export the personal data of a contact",
    description:
      "Returns the contact, all their statements on marketing with the current state, and all their downloads with IP addresses, as a JSON document to save. Use it to answer a request for access to personal data. The audit log records who exported it.",
    access: session("view_contacts"),
    startsWork: () => true,
    params: contactParams,
    responses: { 200: json("The personal data", personalData) },
    handle: async ({ params, actor }, { contacts, audit }) => {
      const document = await contacts.exportPersonalData(params.contactId);
      await audit.recordDisclosure(actor.author, params.contactId);
      return okDocument(document);
    },
  }),
  defineRoute({
    id: "updateContact",
    patchId: "patchContact",
    method: "put",
    path: "/api/admin/contacts/{contactId}",
    summary: "Correct a contact or decide on a consent",
    description:
      "Changes only the fields in the request. Downloads stay with the contact when its `email` changes. What was agreed stays with the former address: the statements are kept, with `formerAddress`, and `marketing` is `unknown` for the new one. An address that another contact has is 409 `email_taken`. `marketing` adds your decision, with your name, to the consent ledger. It resolves a `conflict` and supersedes all earlier statements; with an `email`, it is for the new address. A yes requires a text version that `CONSENT_TEXT_VERSIONS` lists. The audit log records the change, its author and the contact's id, but no values.",
    access: session("edit_contacts"),
    params: contactParams,
    body: jsonBody(contactUpdate),
    takesIfMatch: true,
    responses: { 200: versioned("The updated contact", contactUpdated) },
    problems: [409],
    handle: async ({ params, body, actor, expected }, { contactCorrection }) => {
      const updated = await contactCorrection.correct(actor.author, params.contactId, body, expected);
      return withVersion(ok({ success: true, contact: updated }), updated);
    },
  }),
  defineRoute({
    id: "eraseContact",
    method: "delete",
    path: "/api/admin/contacts/{contactId}",
    databaseLimit: "batches",
    summary: "Erase a contact",
    description:
      "Deletes the contact with all consents. Their downloads stay in all totals, without contact, IP address and referrer; so do later downloads with a link that was issued before. The audit log records the erasure, its author and the contact's id.",
    access: session("edit_contacts"),
    params: contactParams,
    takesIfMatch: true,
    responses: { 200: json("Erased", success) },
    handle: ({ params, actor, expected }, { contactErasure }) =>
      confirmDeletion(contactErasure.erase(actor.author, params.contactId, expected)),
  }),
];
