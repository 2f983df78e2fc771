/** Download requests, as JSON and as HTML forms, and the links that they create. */
import { isIP } from "node:net";
import { z } from "zod";
import { cutPort } from "../lib/ip-address.ts";
import { toLine } from "../lib/one-line.ts";
import {
  count,
  email,
  emailOut,
  exactlyOneOf,
  identifier,
  languageCode,
  optional,
  recordId,
  text,
  timestamp,
} from "./atoms.ts";
import { confirmation } from "./confirmations.schemas.ts";
import { consentForm, formMarketing, formTextVersion, YES_WORDS } from "./consents.schemas.ts";
import { rule } from "./error-codes.ts";
import { fileType, knownSize } from "./files.schemas.ts";

/** Empty if missing. */
const textOrEmpty = (max: number) =>
  text({ max })
    .nullish()
    .transform((given) => given ?? "");

/** The requester. Unknown fields of public forms are ignored, because sites send additional ones. */
export const contactForm = z
  .object({
    email: email.describe("E-mail address, not case-sensitive."),
    firstName: text({ min: 1, max: 200 }).describe(
      "First name, or the name by which the person wants to be addressed.",
    ),
    lastName: textOrEmpty(200).describe("Last name; empty by default."),
    phone: textOrEmpty(50).describe("Phone number in any notation; empty by default."),
    country: textOrEmpty(100).describe("Country by name or ISO 3166-1 alpha-2 code; empty by default."),
  })
  .meta({
    id: "ContactForm",
    description:
      "The person who requests the download. For a known e-mail address, stored details are kept and only empty ones are filled in.",
    example: { email: "reader@example.org", firstName: "Sara" },
  });
export type ContactForm = z.output<typeof contactForm>;

/**
 * Never a reason to reject a request: the first value if repeated, without control characters, truncated to 200
 * characters.
 */
const utm = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => toLine((Array.isArray(given) ? given[0] : given) ?? "", 200) || undefined)
  .optional()
  .meta({
    wire: { type: "string" },
    description:
      "Recorded with the request, truncated to 200 characters. If repeated, the first value is used.",
  });
export const campaignQuery = z.object({
  utm_source: utm.describe("Source of the campaign, such as `newsletter`; recorded with the download."),
  utm_medium: utm.describe("Medium of the campaign, such as `email`; recorded with the download."),
  utm_campaign: utm.describe("Name of the campaign; recorded with the download."),
});
export type Campaign = z.output<typeof campaignQuery>;

/** The reader for whom a site's server submits the form. */
const readerForm = z
  .object({
    ipAddress: optional(
      text({ max: 64 })
        .transform(cutPort)
        .refine(
          (address) => address === "" || isIP(address) > 0,
          rule("invalid_format", "must be an IP address, or empty"),
        )
        .transform((address) => address || undefined),
    ).describe(
      "IP address of the reader, as the website's server sees it. A port behind it is ignored; empty counts as absent.",
    ),
    userAgent: textOrEmpty(4000).describe("The `User-Agent` header of the reader's browser."),
    referrer: textOrEmpty(4000).describe("URL of the page that led the reader to the form."),
  })
  .meta({
    id: "ReaderForm",
    description:
      "Recorded instead of the caller; omitted fields are recorded as unknown. Requires an API key with the scope `submit_downloads` and is ignored otherwise.",
    example: {
      ipAddress: "203.0.113.7",
      userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
      referrer: "https://www.example.org/books",
    },
  });
export type ReaderForm = z.output<typeof readerForm>;

/** Fields that only a client with an API key can set. */
const onBehalf = {
  reader: optional(readerForm).describe(
    "The reader for whom a server submits the form. Used only with an API key.",
  ),
};

const submitFields = z.object({
  bookId: optional(recordId).describe("Identifier of the book. Send this or `slug`."),
  slug: optional(identifier).describe("Slug of the book. Send this or `bookId`."),
  languageCode: languageCode.describe("BCP 47 code of the language."),
  fileType: optional(fileType).describe(
    "Format of the file. Optional if the book has only one file in this language.",
  ),
  fileId: optional(recordId).describe("Identifier of the file, as an alternative to `fileType`."),
  contact: contactForm,
  consent: optional(consentForm).describe("The reader's consent to marketing."),
});

export const anonymousSubmitRequest = submitFields.refine(...exactlyOneOf("bookId", "slug"));
export const submitRequest = submitFields
  .extend(onBehalf)
  .refine(...exactlyOneOf("bookId", "slug"))
  .meta({
    id: "DownloadRequest",
    exactlyOneOf: ["bookId", "slug"],
    description: "A request to download one book. Send exactly one of `bookId` and `slug`.",
    example: {
      slug: "the-deep-well",
      languageCode: "es",
      fileType: "epub",
      contact: { email: "reader@example.org", firstName: "Sara" },
    },
  });
export type SubmitRequest = z.output<typeof submitRequest>;

export const anonymousSubmitAllRequest = submitFields.pick({
  languageCode: true,
  contact: true,
  consent: true,
});
export const submitAllRequest = anonymousSubmitAllRequest.extend(onBehalf).meta({
  id: "LanguageDownloadRequest",
  description: "A request to download all books in a language.",
  example: { languageCode: "es", contact: { email: "reader@example.org", firstName: "Sara" } },
});
export type SubmitAllRequest = z.output<typeof submitAllRequest>;

/** The contact and the consent as flat fields of an HTML form. */
const flatFields = {
  languageCode: languageCode.describe("BCP 47 code of the language."),
  ...contactForm.shape,
  marketing: formMarketing
    .meta({ wire: { type: "string" } })
    .optional()
    .describe(
      `Consent to marketing; recorded only with \`textVersion\`. ${YES_WORDS}, in any case, are a yes, everything else is a no, as is an unchecked check box.`,
    ),
  textVersion: formTextVersion
    .meta({ wire: { type: "string" } })
    .optional()
    .describe("Version of the consent text shown on the page. If omitted, no consent is recorded."),
};

type FlatForm = z.output<ReturnType<typeof z.object<typeof flatFields>>>;

/** As a JSON body would have it. */
const nested = <F extends FlatForm>(fields: F) => {
  const { email: address, firstName, lastName, phone, country, marketing, textVersion, ...request } = fields;
  const consent = textVersion === undefined ? undefined : { marketing: marketing ?? false, textVersion };
  return { ...request, contact: { email: address, firstName, lastName, phone, country }, consent };
};

const formExample = { languageCode: "es", email: "reader@example.org", firstName: "Sara" };

export const submitForm = z
  .object({
    bookId: recordId.optional().describe("Identifier of the book. Send this or `slug`."),
    slug: identifier.optional().describe("Slug of the book. Send this or `bookId`."),
    fileType: fileType
      .optional()
      .describe("Format of the file. Optional if the book has only one file in this language."),
    fileId: recordId.optional().describe("Identifier of the file, as an alternative to `fileType`."),
    ...flatFields,
  })
  .refine(...exactlyOneOf("bookId", "slug"))
  .meta({
    exactlyOneOf: ["bookId", "slug"],
    example: { slug: "the-deep-well", fileType: "epub", ...formExample },
  })
  .transform(nested);

const { languageCode: _, ...contactOfForm } = flatFields;

/** The forms of the library, whose addresses have the language and the book. They are parsed as the ones above. */
export const libraryForm = z
  .object({
    fileType: fileType
      .optional()
      .describe("Format of the file. Optional if the book has only one file in this language."),
    fileId: recordId.optional().describe("Identifier of the file, as an alternative to `fileType`."),
    ...contactOfForm,
  })
  .meta({ example: { fileType: "epub", email: "reader@example.org", firstName: "Sara" } });
export const libraryWholeForm = z
  .object(contactOfForm)
  .meta({ example: { email: "reader@example.org", firstName: "Sara" } });

export const submitAllForm = z.object(flatFields).meta({ example: formExample }).transform(nested);

const downloadUrl = z
  .string()
  .describe(
    "Path of the download on this server, such as `/api/download/{token}`. Append it to the server's address.",
  );
const emailSuggestion = emailOut
  .optional()
  .describe(
    "Suggested correction of a mistyped e-mail address, to show to the reader. Absent if there is none.",
  );
const downloadUrlExample = "/api/download/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl";

export const submitResponse = z
  .object({
    downloadUrl,
    expiresAt: timestamp.describe("Time at which the link expires."),
    fileName: z.string().describe("Name of the downloaded file."),
    fileSizeBytes: knownSize,
    fileType: fileType.describe("Format of the file."),
    emailSuggestion,
    confirmation,
  })
  .meta({
    id: "DownloadLink",
    description: "A link to one file.",
    example: {
      downloadUrl: downloadUrlExample,
      expiresAt: "2026-03-01T12:10:00.000Z",
      fileName: "pozo.epub",
      fileSizeBytes: 48_213,
      fileType: "epub",
    },
  });

export type DownloadLink = z.infer<typeof submitResponse>;

export const submitAllResponse = z
  .object({
    downloadUrl,
    booksCount: count.describe("Number of books in the ZIP."),
    expiresAt: timestamp.describe("Time at which the link expires."),
    filesCount: count.describe("Number of files in the ZIP."),
    totalBytes: count.describe(
      "Total size of the files in bytes; 0 if unknown. A file of unknown size counts as 0, and a sum above 2^53 is rounded.",
    ),
    emailSuggestion,
    confirmation,
  })
  .meta({
    id: "LanguageDownloadLink",
    description: "A link to the ZIP of a language.",
    example: {
      downloadUrl: downloadUrlExample,
      booksCount: 12,
      expiresAt: "2026-03-01T12:10:00.000Z",
      filesCount: 14,
      totalBytes: 5_242_880,
    },
  });

export type LanguageDownloadLink = z.infer<typeof submitAllResponse>;

export const renewalResponse = z
  .object({
    downloadUrl,
    expiresAt: timestamp.describe("Time at which the link expires."),
  })
  .meta({
    id: "RenewedDownloadLink",
    description: "A new link to the same file or ZIP.",
    example: { downloadUrl: downloadUrlExample, expiresAt: "2026-03-01T12:40:00.000Z" },
  });

/** The limit is longer than any token that this service signs; longer ones are rejected unread. */
export const linkParams = z.object({
  token: z
    .string()
    .min(1)
    .max(2000)
    .describe("Token at the end of `downloadUrl`, or in the link of a letter."),
});
