/** The forms that ask for a download, as JSON and as a browser sends them, and the links that they get. */
import { isIP } from "node:net";
import { z } from "zod";
import { unmappedAddress } from "../lib/ip-address.ts";
import { lineOf } from "../lib/text.ts";
import {
  count,
  email,
  emailOut,
  identifier,
  languageCode,
  optional,
  recordId,
  text,
  timestamp,
} from "./atoms.ts";
import { consentForm } from "./consents.schemas.ts";
import { withCode } from "./error-codes.ts";
import { exactlyOneOf } from "./exactly-one.ts";
import { fileType } from "./files.schemas.ts";

/** Empty when it is left out. */
const textOrEmpty = (max: number) =>
  text({ max })
    .nullish()
    .transform((given) => given ?? "");

/** Who asks. Unknown fields of the public forms are ignored: sites send more than they need to. */
export const contactForm = z
  .object({
    email: email.describe("E-mail address, in any case."),
    firstName: text({ min: 1, max: 200 }).describe("First name, or whatever the person wants to be called."),
    lastName: textOrEmpty(200).describe("Last name; empty when left out."),
    phone: textOrEmpty(50).describe("Phone number, in any notation; empty when left out."),
    country: textOrEmpty(100).describe(
      "Country, as a name or an ISO 3166-1 alpha-2 code; empty when left out.",
    ),
  })
  .meta({
    id: "ContactForm",
    description:
      "The person who requests the download. The details of a known e-mail address are kept; only empty ones are filled in.",
    examples: [{ email: "reader@example.org", firstName: "Sara" }],
  });
export type ContactForm = z.output<typeof contactForm>;

/** Never a reason to refuse a reader: of repeated ones the first, without control characters, cut to 200 characters. */
const utm = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => lineOf((Array.isArray(given) ? given[0] : given) ?? "", 200) || undefined)
  .optional()
  .meta({
    wire: { type: "string" },
    description: "Recorded with the request. Cut to 200 characters; of repeated ones the first counts.",
  });
export const campaignQuery = z.object({
  utm_source: utm.describe("Source of the campaign, such as `newsletter`; recorded with the download."),
  utm_medium: utm.describe("Medium of the campaign, such as `email`; recorded with the download."),
  utm_campaign: utm.describe("Name of the campaign; recorded with the download."),
});
export type Campaign = z.output<typeof campaignQuery>;

/** The reader on whose behalf a site's server sends the form. */
const readerForm = z
  .object({
    ipAddress: optional(
      text({ max: 64 })
        .transform(unmappedAddress)
        .refine((address) => isIP(address) > 0, {
          error: "must be an IP address",
          params: withCode("invalid_format"),
        }),
    ).meta({ description: "The reader's IP address, as the site's server sees it." }),
    userAgent: textOrEmpty(4000).meta({ description: "The `User-Agent` header of the reader's browser." }),
    referrer: textOrEmpty(4000).meta({ description: "The page from which the reader came to the form." }),
  })
  .meta({
    id: "ReaderForm",
    description:
      "With an API key of scope `submit_downloads`: recorded in place of the caller, fields that are left out as unknown. Ignored without a key.",
    examples: [
      {
        ipAddress: "203.0.113.7",
        userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
        referrer: "https://www.example.org/books",
      },
    ],
  });
export type ReaderForm = z.output<typeof readerForm>;

/** What only a caller with an API key may say. */
const onBehalf = {
  reader: optional(readerForm).describe(
    "The reader for whom a server sends the form. Counts with an API key only.",
  ),
};

const submitFields = z.object({
  bookId: optional(recordId).describe("Identifier of the book. Send this or `slug`."),
  slug: optional(identifier).describe("Slug of the book. Send this or `bookId`."),
  languageCode: languageCode.describe("BCP 47 code of the language."),
  fileType: optional(fileType).describe(
    "Format of the file. Optional when the book has only one file in this language.",
  ),
  fileId: optional(recordId).describe("Identifier of the file, in place of `fileType`."),
  contact: contactForm,
  consent: optional(consentForm).describe("What the reader answered to the question for consent."),
});

export const anonymousSubmitRequest = submitFields.refine(...exactlyOneOf("bookId", "slug"));
export const submitRequest = submitFields
  .extend(onBehalf)
  .refine(...exactlyOneOf("bookId", "slug"))
  .meta({
    id: "DownloadRequest",
    exactlyOneOf: ["bookId", "slug"],
    description: "A request for the download of one book, named by exactly one of `bookId` and `slug`.",
    examples: [
      {
        slug: "the-deep-well",
        languageCode: "es",
        fileType: "epub",
        contact: { email: "reader@example.org", firstName: "Sara" },
      },
    ],
  });
export type SubmitRequest = z.output<typeof submitRequest>;

export const anonymousSubmitAllRequest = z.object({
  languageCode: languageCode.describe("BCP 47 code of the language."),
  contact: contactForm,
  consent: optional(consentForm).describe("What the reader answered to the question for consent."),
});
export const submitAllRequest = anonymousSubmitAllRequest.extend(onBehalf).meta({
  id: "LanguageDownloadRequest",
  description: "A request for the download of all books in a language.",
  examples: [{ languageCode: "es", contact: { email: "reader@example.org", firstName: "Sara" } }],
});
export type SubmitAllRequest = z.output<typeof submitAllRequest>;

/** A check box or a choice of an HTML form. */
const formFlag = z
  .enum(["on", "1", "true", "off", "0", "false"])
  .transform((given) => ["on", "1", "true"].includes(given))
  .meta({ wire: { type: "string", enum: ["on", "1", "true", "off", "0", "false"] } });

/** The contact and the consent, flat as an HTML form sends them. */
const flatFields = {
  languageCode: languageCode.describe("BCP 47 code of the language."),
  ...contactForm.shape,
  marketing: formFlag.optional().meta({
    description:
      "Consent to marketing; counts together with `textVersion`. A check box that isn't set is a no.",
  }),
  textVersion: consentForm.shape.textVersion.optional().meta({
    description: "Version of the consent text that the page showed. Without it no consent is recorded.",
  }),
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
      .describe("Format of the file. Optional when the book has only one file in this language."),
    fileId: recordId.optional().describe("Identifier of the file, in place of `fileType`."),
    ...flatFields,
  })
  .refine(...exactlyOneOf("bookId", "slug"))
  .meta({
    exactlyOneOf: ["bookId", "slug"],
    examples: [{ slug: "the-deep-well", fileType: "epub", ...formExample }],
  })
  .transform(nested);

export const submitAllForm = z
  .object(flatFields)
  .meta({ examples: [formExample] })
  .transform(nested);

const downloadUrl = z
  .string()
  .describe(
    "Path of the download on this server, such as `/api/download/{token}`. Append it to the server's address.",
  );
const emailSuggestion = emailOut
  .optional()
  .describe(
    "A likely correction of a mistyped e-mail address, to show to the reader. Absent when there is none.",
  );
const downloadUrlExample = "/api/download/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl";

export const submitResponse = z
  .object({
    downloadUrl,
    expiresAt: timestamp.describe("When the link expires."),
    fileName: z.string().describe("Name under which the file arrives."),
    fileSizeBytes: count.describe("Size in bytes; 0 for a cloud file of unknown size."),
    fileType: fileType.describe("Format of the file."),
    emailSuggestion,
  })
  .meta({
    id: "DownloadLink",
    description: "A link to one file.",
    examples: [
      {
        downloadUrl: downloadUrlExample,
        expiresAt: "2026-03-01T12:10:00.000Z",
        fileName: "pozo.epub",
        fileSizeBytes: 48_213,
        fileType: "epub",
      },
    ],
  });

export const submitAllResponse = z
  .object({
    downloadUrl,
    booksCount: count.describe("Number of books in the ZIP."),
    expiresAt: timestamp.describe("When the link expires."),
    filesCount: count.describe("Number of files in the ZIP."),
    totalBytes: count.describe("Sum of the sizes of the files in bytes, as far as they are known."),
    emailSuggestion,
  })
  .meta({
    id: "LanguageDownloadLink",
    description: "A link to the ZIP of a language.",
    examples: [
      {
        downloadUrl: downloadUrlExample,
        booksCount: 12,
        expiresAt: "2026-03-01T12:10:00.000Z",
        filesCount: 14,
        totalBytes: 5_242_880,
      },
    ],
  });

/** Longer than any token that this service signs; what is longer isn't looked at. */
export const downloadParams = z.object({
  token: z.string().min(1).max(2000).describe("Token at the end of `downloadUrl`."),
});
