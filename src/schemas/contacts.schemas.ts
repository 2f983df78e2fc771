/** Contacts: readers who requested downloads, their downloads, and all stored data about a person. */
import { z } from "zod";
import { contactEvent, personalEvent } from "./analytics.schemas.ts";
import {
  booleanField,
  booleanParameter,
  count,
  email,
  emailOut,
  identifier,
  recordId,
  rowId,
  searchText,
  success,
  text,
  timestamp,
  uuid,
  version,
  versionExample,
  zeroOrOneParameter,
} from "./atoms.ts";
import { consent, currentConsent, MARKETING, recordedConsent, textVersion } from "./consents.schemas.ts";
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
  bookId: identifier
    .optional()
    .describe(
      "Limits the result to contacts with a download that contains this book, alone or in a whole language.",
    ),
  utmCampaign: text({ max: 200 })
    .optional()
    .describe(
      "Limits the result to contacts with a download that was requested with this `utm_campaign`, exactly.",
    ),
  marketing: z
    .enum(MARKETING)
    .optional()
    .describe(
      "Limits the result to contacts with this `marketing`; `yes` are those who may receive a newsletter.",
    ),
  verified: booleanParameter
    .optional()
    .describe("Limits the result to contacts who have, or have not, confirmed their address."),
  ...dateFields,
};

const EXPORT_FORMATS = ["csv", "listmonk", "mailchimp"] as const;
export type NewsletterFormat = Exclude<(typeof EXPORT_FORMATS)[number], "csv">;

/** What decides whether a newsletter is asked for. Other errors of a request don't hide that its contacts can't be. */
const newsletterQuery = z.object({ format: z.enum(EXPORT_FORMATS), marketing: z.enum(MARKETING).optional() });

export const contactListQuery = withDates(z.strictObject({ ...pagingFields, ...contactFilter }));
export const contactExportQuery = withDates(
  z
    .strictObject({
      ...contactFilter,
      ...csvOptions,
      bom: zeroOrOneParameter
        .optional()
        .describe(
          "`0` omits the byte order mark, `1` writes it. Excel needs the mark to detect UTF-8. The default is `1` for `csv` and `0` for the other formats.",
        ),
      format: z
        .enum(EXPORT_FORMATS)
        .default("csv")
        .describe(
          "`csv`: all fields. `listmonk` and `mailchimp`: the columns that these newsletter programs import, of contacts with `marketing=yes` only.",
        ),
    })
    .refine(({ format, marketing = "yes" }) => format === "csv" || marketing === "yes", {
      ...rule("invalid_value", "must be yes, or absent, with this format"),
      path: ["marketing"],
      when: ({ value }) => newsletterQuery.safeParse(value).success,
    }),
);
export type ContactListQuery = z.output<typeof contactListQuery>;
export type ContactExportQuery = z.output<typeof contactExportQuery>;

export const contactParams = z.object({ contactId: recordId.describe("Identifier of the contact.") });

/** `stopped` by the reader; `failing`: a mail server has refused three letters in a row. */
export const MAIL_STATES = ["ok", "stopped", "failing"] as const;

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
    mailState: z
      .enum(MAIL_STATES)
      .optional()
      .describe(
        "Whether letters go to the contact: `stopped` by the reader, or `failing`, because the mail server has refused three in a row for good. Absent without letters (`SMTP_URL`).",
      ),
    verifiedAt: timestamp
      .nullable()
      .optional()
      .describe(
        "Time at which the contact has confirmed the address by the button in a letter; null before. Absent without letters (`SMTP_URL`).",
      ),
  })
  .meta({ id: "Contact", description: "A person who requested downloads.", example: contactExample });
export type Contact = z.infer<typeof contact>;

/** The fields of a contact that an administrator can correct, and the marketing decision. */
export const contactUpdate = updateOf({
  email: required(email, "E-mail address, not case-sensitive; unique among contacts."),
  firstName: required(text({ min: 1, max: 200 }), "First name; must not be empty."),
  lastName: clearable(text({ max: 200 }), "", "Last name."),
  phone: clearable(text({ max: 50 }), "", "Phone number in any notation."),
  country: clearable(text({ max: 100 }), "", "Country by name or code."),
  mailState: required(
    z.literal("ok"),
    "Lets letters go to an address again that is `failing`. Only its reader can do so after it was `stopped`.",
  ),
  marketing: required(
    booleanField,
    "Decision on marketing; added to the consent ledger and effective immediately.",
  ),
  textVersion: required(
    textVersion,
    "Version of the consent text that the decision refers to; by default that of the latest yes for the address. Requires `marketing`.",
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

const marketingFields = z.object({
  marketing: z
    .enum(MARKETING)
    .describe(
      "`yes`: marketing is allowed. `no`: the contact declined. `withdrawn`: a no after a yes, or by an administrator. `conflict`: a yes after a withdrawal; an administrator has to decide. `unknown`: no statement for the present address, a yes to a text version that `CONSENT_TEXT_VERSIONS` doesn't list, or one that was not confirmed within 7 days. `pending`: a yes that waits for the button in a letter, with `EMAIL_CONFIRMATION`.",
    ),
  marketingTextVersion: z
    .string()
    .nullable()
    .describe("Version of the text of the latest statement for the address; null if there is none."),
  marketingAt: timestamp
    .nullable()
    .describe("Time of the latest statement for the address; null if there is none."),
});

export const listedContact = contact.and(marketingFields).meta({
  id: "ListedContact",
  description: "A contact in a list, with whether marketing is allowed.",
  example: {
    ...contactExample,
    marketing: "yes",
    marketingTextVersion: "2026-03",
    marketingAt: "2026-03-08T09:30:00.000Z",
  },
});
export type ListedContact = z.infer<typeof listedContact>;

export const contactList = z.object({
  contacts: z.array(listedContact).describe("Contacts on this page, most recent download first."),
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
  ...contact.omit({ version: true, mailState: true, verifiedAt: true }).keyof().options,
  "consentMarketing",
  "consentTextVersion",
  "consentLanguageCode",
  "consentGivenAt",
  "consentState" as const,
  ...marketingFields.keyof().options,
];

/** Further columns with letters. */
export const LETTER_COLUMNS = ["verifiedAt", "mailState"] as const;
