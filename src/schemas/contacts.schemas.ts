/** Contacts: readers who requested downloads, their downloads, and all stored data about a person. */
import { z } from "zod";
import { contactEvent, personalEvent } from "./analytics.schemas.ts";
import {
  booleanField,
  count,
  emailOut,
  recordId,
  rowId,
  searchText,
  success,
  text,
  timestamp,
  uuid,
  version,
  versionExample,
} from "./atoms.ts";
import { consent, currentConsent, recordedConsent, textVersion } from "./consents.schemas.ts";
import { dateFields, withDates } from "./dates.ts";
import { rule } from "./error-codes.ts";
import { clearable, required, updateOf } from "./fields.ts";
import { csvOptions, pagination, pagingFields } from "./queries.ts";

/** Filters of the contact list. */
const contactFilter = {
  search: searchText
    .optional()
    .describe(
      "Words to find in the name, e-mail address, phone number and country, ignoring case and accents; every word must occur.",
    ),
  country: text({ max: 100 })
    .optional()
    .describe(
      "Limits the result to contacts who gave this country or downloaded from it: an ISO 3166-1 alpha-2 code, an English name, or words of a name.",
    ),
  city: searchText
    .optional()
    .describe(
      "Limits the result to contacts with a download from this city: words of its name, ignoring case and accents.",
    ),
  languageId: rowId.optional().describe("Limits the result to contacts with a download in this language."),
  ...dateFields,
};

export const contactListQuery = withDates(z.strictObject({ ...pagingFields, ...contactFilter }));
export const contactExportQuery = withDates(z.strictObject({ ...contactFilter, ...csvOptions }));
export type ContactListQuery = z.output<typeof contactListQuery>;
export type ContactExportQuery = z.output<typeof contactExportQuery>;

export const contactParams = z.object({ contactId: recordId.describe("Identifier of the contact.") });

const contactExample = {
  id: "01a1fb60-1a34-772b-a309-dba157e20a85",
  email: "reader@example.org",
  firstName: "Sara",
  lastName: "Núñez",
  phone: "+254 20 1234567",
  country: "Kenya",
  firstDownloadAt: "2026-03-01T12:00:00.000Z",
  lastDownloadAt: "2026-03-08T09:30:00.000Z",
  totalDownloads: 3,
  version: versionExample,
};

export const contact = z
  .object({
    id: uuid.describe("Identifier of the contact."),
    email: emailOut.describe("E-mail address in lower case; unique among contacts."),
    firstName: z.string().describe("First name as given on the form."),
    lastName: z.string().describe("Last name as given on the form; empty if not given."),
    phone: z.string().describe("Phone number as given on the form; empty if not given."),
    country: z.string().describe("Country as given on the form; empty if not given."),
    firstDownloadAt: timestamp.describe("Time of the first requested download."),
    lastDownloadAt: timestamp.describe("Time of the last requested download."),
    totalDownloads: count.describe("Number of requested downloads."),
    version,
  })
  .meta({ id: "Contact", description: "A person who requested downloads.", example: contactExample });
export type Contact = z.infer<typeof contact>;

/** The fields of a contact that an administrator can correct, and the marketing decision. */
export const contactUpdate = updateOf({
  firstName: required(text({ min: 1, max: 200 }), "First name; must not be empty."),
  lastName: clearable(text({ max: 200 }), "", "Last name."),
  phone: clearable(text({ max: 50 }), "", "Phone number in any notation."),
  country: clearable(text({ max: 100 }), "", "Country by name or code."),
  marketing: required(
    booleanField,
    "Decision on marketing; added to the consent ledger and effective immediately.",
  ),
  textVersion: required(
    textVersion,
    "Version of the consent text that the decision refers to; by default that of the contact's latest yes. Requires `marketing`.",
  ),
})
  .refine(({ marketing, textVersion: version }) => version === undefined || marketing !== undefined, {
    ...rule("marketing_needed", "requires marketing"),
    path: ["textVersion"],
  })
  .meta({
    id: "ContactUpdate",
    description:
      "Fields of a contact to correct, or a decision on marketing; omitted fields keep their values.",
    example: { phone: "+254 20 1234567", marketing: true },
  });
export type ContactUpdate = z.output<typeof contactUpdate>;

export const contactUpdated = success.extend({ contact });

export const contactList = z.object({
  contacts: z.array(contact).describe("Contacts on this page, most recent download first."),
  pagination,
});

export const contactDetails = z.object({
  contact,
  consent: currentConsent,
  consents: z.array(recordedConsent).describe("All statements in the consent ledger, newest first."),
  events: z.array(contactEvent).describe("The latest downloads of the contact, newest first, at most 1,000."),
});
export type ContactDetails = z.infer<typeof contactDetails>;

/** Everything that is stored about one person. */
export const personalData = z.object({
  contact,
  consent: currentConsent,
  consents: z.array(consent).describe("All statements in the consent ledger."),
  events: z.array(personalEvent).describe("All downloads of the contact."),
});
export type PersonalData = z.infer<typeof personalData>;

/** The columns of the export, in order. Those of the consent are empty if the contact has made no statement. */
export const CONTACT_COLUMNS = [
  ...contact.omit({ version: true }).keyof().options,
  "consentMarketing",
  "consentTextVersion",
  "consentLanguageCode",
  "consentGivenAt",
  "consentState" as const,
];
