/** Contacts: readers who asked for downloads, their downloads, and what is on record about one of them. */
import { z } from "zod";
import { downloadEvent } from "./analytics.schemas.ts";
import {
  booleanField,
  count,
  emailOut,
  integerParameter,
  MAX_INT32,
  optional,
  recordId,
  searchText,
  success,
  text,
  timestamp,
  uuid,
} from "./atoms.ts";
import { consent, currentConsent, recordedConsent, textVersion } from "./consents.schemas.ts";
import { dateFields, withDates } from "./dates.ts";
import { withCode } from "./error-codes.ts";
import { csvOptions, pagination, pagingFields } from "./queries.ts";

/** What the contacts may be narrowed to. */
const contactFilter = {
  search: searchText
    .optional()
    .describe("Words to find in names, e-mail addresses and phone numbers, ignoring case and accents."),
  country: text({ max: 100 })
    .optional()
    .describe(
      "Returns only contacts who gave this country or downloaded from it: an ISO 3166-1 alpha-2 code or an English name.",
    ),
  city: searchText
    .optional()
    .describe("Returns only contacts with a download from this city, by its whole English name in any case."),
  languageId: integerParameter(1, MAX_INT32)
    .optional()
    .describe("Returns only contacts with a download in this language."),
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
};

export const contact = z
  .object({
    id: uuid.describe("Identifier of the contact."),
    email: emailOut.describe("E-mail address in lower case; unique among contacts."),
    firstName: z.string().describe("First name as given on the form."),
    lastName: z.string().describe("Last name as given on the form; empty when not given."),
    phone: z.string().describe("Phone number as given on the form; empty when not given."),
    country: z.string().describe("Country as given on the form; empty when not given."),
    firstDownloadAt: timestamp.describe("When the contact first requested a download."),
    lastDownloadAt: timestamp.describe("When the contact last requested a download."),
    totalDownloads: count.describe("Number of downloads requested."),
  })
  .meta({ id: "Contact", description: "A person who requested downloads.", examples: [contactExample] });
export type Contact = z.infer<typeof contact>;

/** What an administrator may correct of a contact, and decide for them. */
export const contactUpdate = z
  .strictObject({
    firstName: optional(text({ min: 1, max: 200 })).meta({ description: "First name; can't be empty." }),
    lastName: optional(text({ max: 200 })).meta({ description: "Last name; empty for none." }),
    phone: optional(text({ max: 50 })).meta({ description: "Phone number in any form; empty for none." }),
    country: optional(text({ max: 100 })).meta({ description: "Country by name or code; empty for none." }),
    marketing: optional(booleanField).meta({
      description: "Decides about marketing: added to the ledger of consents, where it counts from now on.",
    }),
    textVersion: optional(textVersion).meta({
      description:
        "Version of the text that the decision refers to; by default that of the contact's latest yes. Goes with `marketing` only.",
    }),
  })
  .refine(({ marketing, textVersion: version }) => version === undefined || marketing !== undefined, {
    error: "goes with marketing only",
    params: withCode("marketing_needed"),
    path: ["textVersion"],
  })
  .meta({
    id: "ContactUpdate",
    description:
      "Fields of a contact to correct, or a decision on marketing; fields that are left out stay as they are.",
    examples: [{ phone: "+254 20 1234567", marketing: true }],
  });
export type ContactUpdate = z.output<typeof contactUpdate>;

export const contactUpdated = success.extend({ contact });

export const contactList = z.object({
  contacts: z.array(contact).describe("Contacts on this page, the most recent download first."),
  pagination,
});

/** The examples of a whole event, as far as a part of it goes. */
const eventExamples = <S extends z.ZodType>(part: S): z.output<S>[] =>
  z.array(part).parse(downloadEvent.meta()?.examples);

const eventInHistory = downloadEvent.pick({
  id: true,
  downloadedAt: true,
  isDownloadAll: true,
  booksCount: true,
  countryCode: true,
  countryName: true,
  city: true,
  deviceType: true,
  browserName: true,
  bookTitle: true,
  fileType: true,
  languageName: true,
  languageCode: true,
});
export const contactEvent = eventInHistory.meta({
  id: "ContactEvent",
  description: "A download in the history of a contact.",
  examples: eventExamples(eventInHistory),
});
export type ContactEvent = z.infer<typeof contactEvent>;

export const contactDetails = z.object({
  contact,
  consent: currentConsent,
  consents: z
    .array(recordedConsent)
    .meta({ description: "All statements that are on record, the newest first." }),
  events: z.array(contactEvent).describe("Downloads of the contact, the newest first, at most 1,000."),
});
export type ContactDetails = z.infer<typeof contactDetails>;

const ownEvent = downloadEvent.omit({ contactEmail: true, contactFirstName: true, contactLastName: true });
export const personalEvent = ownEvent.meta({
  id: "PersonalEvent",
  description: "A download in the personal data of a contact.",
  examples: eventExamples(ownEvent),
});
export type PersonalEvent = z.infer<typeof personalEvent>;

/** Everything that is on record about one person. */
export const personalData = z.object({
  contact,
  consent: currentConsent,
  consents: z.array(consent).describe("Every answer to the question for consent."),
  events: z.array(personalEvent).describe("All downloads of the contact."),
});
export type PersonalData = z.infer<typeof personalData>;

/** The columns of the export, in their order. Those of the consent are empty when the contact has said nothing. */
export const CONTACT_COLUMNS = [
  ...contact.keyof().options,
  "consentMarketing",
  "consentTextVersion",
  "consentLanguageCode",
  "consentGivenAt",
  "consentState" as const,
];
