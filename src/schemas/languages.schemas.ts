/** Languages. */
import { z } from "zod";
import { toAsciiHostName } from "../lib/host-name.ts";
import {
  booleanField,
  count,
  flag,
  flagField,
  legacyDownloads,
  optional,
  recordId,
  rowId,
  success,
  text,
  timestamp,
  trimmedText,
  typedLanguageCode,
  uuid,
  version,
  versionExample,
} from "./atoms.ts";
import { confirmationRule } from "./confirmations.schemas.ts";
import { withCode } from "./error-codes.ts";
import { clearable, creationOf, kept, legacyDownloadCount, required, updateOf } from "./fields.ts";

const name = text({ min: 1, max: 200 });
/** A host name without port, or empty for none. It is stored as requests carry it: in ASCII and lower case. */
const customDomain = trimmedText(253)
  .max(253)
  .transform((name, context) => {
    const ascii = name === "" ? name : toAsciiHostName(name);
    if (ascii !== undefined) return ascii;
    const message = "must be a host name, such as books.example.org, or empty for none";
    context.addIssue({ code: "custom", message, params: withCode("invalid_format") });
    return z.NEVER;
  })
  .meta({ wire: { type: "string", maxLength: 253 } });

export const direction = z
  .enum(["ltr", "rtl"])
  .meta({ id: "Direction", description: "Direction of a script: left to right or right to left." });

const languageFields = {
  code: required(typedLanguageCode, "BCP 47 code, such as `en` or `pt-BR`; unique."),
  name: kept(name, "English name.", "Defaults to the name in CLDR, or to the code if CLDR has none."),
  nativeName: kept(
    name,
    "Name in the language itself.",
    "Defaults to the name in CLDR, with a capital letter.",
  ),
  customDomain: clearable(
    customDomain,
    "",
    "Host name of a website in this language, such as `books.example.org`. Public lists requested through this host are in this language. An internationalized name is stored in its ASCII form: `bücher.example` as `xn--bcher-kva.example`.",
  ),
  parentId: clearable(z.int(), null, "Identifier of the parent language, which makes this a sub-language."),
  legacyDownloadCount,
  isActive: kept(flagField, "1 if the language is active, 0 if readers don't see it."),
  direction: kept(direction, "Direction of the script.", "Derived from the code if omitted."),
  emailConfirmation: clearable(
    confirmationRule,
    null,
    "Whether readers confirm their address, in place of `EMAIL_CONFIRMATION`. It needs letters (`SMTP_URL`).",
  ),
};

export const languageCreation = creationOf(languageFields).meta({
  id: "LanguageCreation",
  description: "A language to create.",
  example: { code: "ar", name: "Arabic", nativeName: "العربية", direction: "rtl" },
});

export const languageUpdate = updateOf(languageFields).meta({
  id: "LanguageUpdate",
  description: "Fields of a language to change; omitted fields keep their values.",
  example: { customDomain: "books.example.org", legacyDownloadCount: 1200 },
});

export type LanguageCreation = z.output<typeof languageCreation>;
export type LanguageUpdate = z.output<typeof languageUpdate>;

const deletionMode = z.enum(["preserve_analytics", "delete_all"]);
export type LanguageDeletionMode = z.infer<typeof deletionMode>;

const deletionModeMeta = {
  description:
    "`preserve_analytics` keeps the download events in the language, `delete_all` deletes them. The default is `preserve_analytics`.",
};
export const languageDeletionQuery = z.strictObject({ mode: deletionMode.optional().meta(deletionModeMeta) });
export const languageDeletion = z.strictObject({ mode: optional(deletionMode).meta(deletionModeMeta) }).meta({
  id: "LanguageDeletion",
  description: "How to delete a language.",
  example: { mode: "preserve_analytics" },
});

export const languageParams = z.object({
  langId: rowId.describe("Identifier of the language."),
});

const languageExample = {
  id: 3,
  code: "ar",
  name: "Arabic",
  nativeName: "العربية",
  customDomain: null,
  legacyDownloadCount: 0,
  isActive: 1,
  createdAt: "2026-03-01T12:00:00.000Z",
  direction: "rtl",
  parentId: null,
  updatedAt: "2026-03-01T12:00:00.000Z",
  emailConfirmation: null,
  version: versionExample,
};

export const language = z
  .object({
    id: z.int().describe("Identifier of the language."),
    code: z.string().describe("BCP 47 code."),
    name: z.string().describe("English name."),
    nativeName: z.string().describe("Name in the language itself."),
    customDomain: z.string().nullable().describe("Host name of the website in this language; null for none."),
    legacyDownloadCount: legacyDownloads,
    isActive: flag.describe("1 if the language is active, 0 if readers don't see it."),
    createdAt: timestamp.describe("When the language was created."),
    direction: direction.describe("Direction of the script: left to right or right to left."),
    parentId: z.int().nullable().describe("Identifier of the parent of a sub-language; null for a language."),
    updatedAt: timestamp.describe("When the language was last changed."),
    emailConfirmation: confirmationRule
      .nullable()
      .describe("Whether readers confirm their address; null for `EMAIL_CONFIRMATION`."),
    version,
  })
  .meta({
    id: "Language",
    description: "A language or sub-language.",
    example: languageExample,
  });
export type Language = z.infer<typeof language>;

const suggestedParent = {
  suggestedParentId: z
    .int()
    .nullable()
    .describe(
      "Identifier of a language that could be the parent, by its code: that of `es` for `es-MX`, that of `zh-Hant` or `zh` for `zh-TW`. Null if there is none, and for a sub-language or a language with sub-languages.",
    ),
};

export const createdLanguage = language.extend(suggestedParent).meta({
  id: "CreatedLanguage",
  description: "A new language, and the language that could be its parent.",
  example: { ...languageExample, suggestedParentId: null },
});
export type CreatedLanguage = z.infer<typeof createdLanguage>;

const listedLanguage = language
  .extend({
    ...suggestedParent,
    booksCount: count.describe("Number of active books with an active file in this language itself."),
    filesCount: count.describe("Number of active files of active books in this language itself."),
  })
  .meta({
    id: "ListedLanguage",
    description: "A language or sub-language, with counts.",
    example: { ...languageExample, suggestedParentId: null, booksCount: 12, filesCount: 30 },
  });
export type ListedLanguage = z.infer<typeof listedLanguage>;

export const languageList = z.object({
  languages: z.array(listedLanguage).describe("Active and inactive languages, ordered by `name`."),
});
export const languageUpdated = success.extend({ language });
export const languageUsage = z
  .object({
    translations: count.describe("Number of translations."),
    files: count.describe("Number of files."),
    publications: count.describe("Number of publications on channels."),
    downloads: count.describe("Number of download events."),
  })
  .meta({
    id: "LanguageUsage",
    description: "Number of records that belong to a language.",
    example: { translations: 12, files: 14, publications: 20, downloads: 431 },
  });

export type LanguageUsage = z.infer<typeof languageUsage>;

/** As many as a body holds, and as one transaction writes within 50 ms. */
const MAX_OVERRIDES = 5_000;

const overrideMeta = {
  description:
    "`false` hides the book in this language, `true` shows it, `null` removes the override so that the parent's setting applies. A book without a file isn't shown in any case.",
};
const bookOverride = z.boolean().nullable().meta(overrideMeta);
/** Here `null` is a value of its own. */
const givenOverride = booleanField.nullable().meta(overrideMeta);

export const bookOverrides = z
  .strictObject({
    overrides: z
      .array(
        z.strictObject({ bookId: recordId.describe("Identifier of the book."), isVisible: givenOverride }),
      )
      .min(1)
      .max(MAX_OVERRIDES)
      .describe("Books and their new overrides. Other books keep theirs."),
  })
  .meta({
    id: "SubLanguageBookOverrides",
    description: "Overrides to set, all or none.",
    example: { overrides: [{ bookId: "01a1fb60-1a34-772b-a309-dba157e20a81", isVisible: false }] },
  });
export type BookOverrides = z.output<typeof bookOverrides>;

export const subLanguageBook = z
  .object({
    bookId: uuid.describe("Identifier of the book."),
    slug: z.string().describe("Slug of the book."),
    titleEn: z.string().describe("English title."),
    isVisible: z
      .boolean()
      .describe(
        "Whether `GET /api/books` lists the book in this language. False for a book without an active file in this language or its parent, regardless of the override, and for all books while the language is inactive.",
      ),
    override: bookOverride,
    inherited: z
      .boolean()
      .describe("Whether the book has no override, so that the parent's setting applies."),
  })
  .meta({
    id: "SubLanguageBookOverride",
    description: "A book in a sub-language, and whether it is shown there.",
    example: {
      bookId: "01a1fb60-1a34-772b-a309-dba157e20a81",
      slug: "the-deep-well",
      titleEn: "The Deep Well",
      isVisible: false,
      override: false,
      inherited: false,
    },
  });
export type SubLanguageBook = z.infer<typeof subLanguageBook>;

export const subLanguageBooks = z.object({
  language,
  books: z.array(subLanguageBook).describe("All active books, in their order."),
});
export const subLanguageBooksUpdated = success.extend({
  books: z.array(subLanguageBook).describe("Books in the request, with their new state."),
});
