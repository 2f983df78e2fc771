/** What the public site sees: published books, languages, and the forms that ask for a download. */
import { isIP } from "node:net";
import { z } from "zod";
import { lineOf } from "../lib/text.ts";
import { unmappedAddress } from "../lib/unmapped-address.ts";
import { count, email, identifier, languageCode, optional, searchText, text, timestamp } from "./atoms.ts";
import { consentForm } from "./consents.schemas.ts";
import { exactlyOneOf } from "./exactly-one.ts";
import { fileType } from "./files.schemas.ts";
import { direction } from "./languages.schemas.ts";
import { pagination, pagingFields } from "./paging.ts";
import { languageNameExample, publicBookExample, publicDetailsExample } from "./public-examples.ts";

export const publicBookListQuery = z.object({
  ...pagingFields,
  languageCode: languageCode.optional(),
  channel: text({ max: 100 }).optional(),
  search: searchText.optional(),
});
export type PublicBookListQuery = z.output<typeof publicBookListQuery>;

/** Any well-formed code: one that the catalogue doesn't know falls back to the book's English texts. */
export const publicBookQuery = z.object({
  languageCode: languageCode.optional().meta({
    description:
      "Language of `title`, `description` and `coverUrl`. In a language without a translation they are those of its parent language, else the English ones.",
  }),
});

export const publicBookParams = z.object({ slugOrId: identifier });

const publicFile = z.object({
  id: z.string(),
  languageCode: z.string(),
  fileType,
  fileName: z.string(),
  fileSizeBytes: count,
});

export const publicBook = z
  .object({
    id: z.string(),
    slug: z.string(),
    titleEn: z.string(),
    title: z.string(),
    description: z.string(),
    languageCode: z.string().nullable(),
    coverUrl: z.string(),
    sortOrder: z.int(),
    languages: z.array(z.string()),
    files: z.array(publicFile),
    updatedAt: timestamp,
  })
  .meta({
    id: "PublicBook",
    examples: [publicBookExample],
  });
export type PublicBook = z.infer<typeof publicBook>;

const publicLanguageName = z
  .object({
    id: z.int(),
    code: z.string(),
    name: z.string(),
    nativeName: z.string(),
    direction,
  })
  .meta({ examples: [languageNameExample] });
export type PublicLanguageName = z.infer<typeof publicLanguageName>;

export const publicBookList = z.object({
  books: z.array(publicBook),
  pagination,
  language: publicLanguageName.nullable(),
});
export type PublicBookList = z.infer<typeof publicBookList>;

/** One book in all its languages: a public book with each translation. */
export const publicBookDetails = publicBook
  .extend({
    translations: z.array(
      z.object({ languageCode: z.string(), title: z.string(), description: z.string(), direction }),
    ),
  })
  .meta({
    id: "PublicBookDetails",
    examples: [publicDetailsExample],
  });
export type PublicBookDetails = z.infer<typeof publicBookDetails>;

export const publicLanguageList = z.object({
  languages: z.array(
    publicLanguageName
      .extend({ parentCode: z.string().nullable(), customDomain: z.string().nullable(), booksCount: count })
      .meta({
        id: "PublicLanguage",
        examples: [{ ...languageNameExample, parentCode: null, customDomain: null, booksCount: 12 }],
      }),
  ),
});
export type PublicLanguageList = z.infer<typeof publicLanguageList>;

/** Empty when it is left out. */
const textOrEmpty = (max: number) =>
  text({ max })
    .nullish()
    .transform((given) => given ?? "");

/** Who asks. Unknown fields of the public forms are ignored: sites send more than they need to. */
export const contactForm = z
  .object({
    email,
    firstName: text({ min: 1, max: 200 }),
    lastName: textOrEmpty(200),
    phone: textOrEmpty(50),
    country: textOrEmpty(100),
  })
  .meta({ id: "ContactForm", examples: [{ email: "reader@example.org", firstName: "Sara" }] });
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
export const campaignQuery = z.object({ utm_source: utm, utm_medium: utm, utm_campaign: utm });
export type Campaign = z.output<typeof campaignQuery>;

/** The reader on whose behalf a site's server sends the form. */
const readerForm = z
  .object({
    ipAddress: optional(
      text({ max: 64 })
        .transform(unmappedAddress)
        .refine((address) => isIP(address) > 0, { error: "must be an IP address" }),
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
const onBehalf = { reader: optional(readerForm) };

const submitFields = z.object({
  bookId: optional(identifier),
  slug: optional(identifier),
  languageCode,
  fileType: optional(fileType),
  fileId: optional(identifier),
  contact: contactForm,
  consent: optional(consentForm),
});

export const anonymousSubmitRequest = submitFields.refine(...exactlyOneOf("bookId", "slug"));
export const submitRequest = submitFields
  .extend(onBehalf)
  .refine(...exactlyOneOf("bookId", "slug"))
  .meta({
    id: "DownloadRequest",
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
  languageCode,
  contact: contactForm,
  consent: optional(consentForm),
});
export const submitAllRequest = anonymousSubmitAllRequest.extend(onBehalf).meta({
  id: "LanguageDownloadRequest",
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
  languageCode,
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
    bookId: identifier.optional(),
    slug: identifier.optional(),
    fileType: fileType.optional(),
    fileId: identifier.optional(),
    ...flatFields,
  })
  .refine(...exactlyOneOf("bookId", "slug"))
  .meta({ examples: [{ slug: "the-deep-well", fileType: "epub", ...formExample }] })
  .transform(nested);

export const submitAllForm = z
  .object(flatFields)
  .meta({ examples: [formExample] })
  .transform(nested);

const downloadUrl = z.string();
const emailSuggestion = z.string().optional();
const downloadUrlExample = "/api/download/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl";

export const submitAnswer = z
  .object({
    downloadUrl,
    expiresAt: timestamp,
    fileName: z.string(),
    fileSizeBytes: count,
    fileType,
    emailSuggestion,
  })
  .meta({
    id: "DownloadLink",
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

export const submitAllAnswer = z
  .object({
    downloadUrl,
    booksCount: count,
    expiresAt: timestamp,
    filesCount: count,
    totalBytes: count,
    emailSuggestion,
  })
  .meta({
    id: "LanguageDownloadLink",
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
export const downloadParams = z.object({ token: z.string().min(1).max(2000) });
