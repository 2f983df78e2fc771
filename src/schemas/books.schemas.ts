/** Books, and the details of a book. */
import { z } from "zod";
import { toOneLine } from "../lib/one-line.ts";
import {
  booleanParameter,
  count,
  flag,
  flagField,
  int32,
  languageCode,
  legacyDownloads,
  optional,
  rawText,
  recordId,
  success,
  text,
  timestamp,
  uuid,
  version,
  versionExample,
} from "./atoms.ts";
import { bookDateFields, bookDates } from "./book-dates.schemas.ts";
import { coverMetadata } from "./covers.schemas.ts";
import { bookCreditFields, bookCredits, bookCreditsExample } from "./credits.schemas.ts";
import { clearable, creationOf, kept, legacyDownloadCount, required, updateOf } from "./fields.ts";
import { bookFile } from "./files.schemas.ts";
import { description, title, translation, translationFields } from "./translations.schemas.ts";

export const slug = rawText({ max: 80 })
  .max(80)
  .overwrite(toOneLine)
  .toLowerCase()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must contain only a to z, 0 to 9 and single hyphens");

const ignoredPath = optional(text({ max: 500 })).describe(
  "Accepted for compatibility and ignored. Upload covers with `PUT /api/admin/books/{bookId}/covers/{languageCode}`.",
);

export const bookFields = {
  titleEn: required(title, "English title."),
  slug: kept(
    slug,
    "Unique name for URLs: a to z, 0 to 9 and single hyphens.",
    "Derived from `titleEn` if omitted.",
  ),
  description: clearable(description, "", "English description; may contain line breaks."),
  coverImagePath: { creation: ignoredPath, update: ignoredPath, upsert: ignoredPath },
  sortOrder: kept(
    int32,
    "Position in lists; lower numbers come first.",
    "New books are placed last by default.",
  ),
  legacyDownloadCount,
  ...bookDateFields,
  ...bookCreditFields,
};

/** A translation of a book in the same request. */
export const bookTranslationFields = {
  languageCode: required(languageCode, "BCP 47 code of an existing language."),
  ...translationFields,
};

const bookTranslation = creationOf(bookTranslationFields);
export type BookTranslation = z.output<typeof bookTranslation>;

/** Archived at once, a book is never seen by readers before somebody has looked at it. */
export const activeWhenMade = optional(flagField).describe(
  "0 archives a new book when it is made; 1 by default. An existing book stays as it is.",
);

export const bookCreation = creationOf(bookFields)
  .extend({
    isActive: activeWhenMade,
    translations: optional(z.array(bookTranslation).max(500)).describe(
      "Titles and descriptions in other languages, one per language.",
    ),
  })
  .meta({
    id: "BookCreation",
    description: "A book to create.",
    example: {
      titleEn: "The Deep Well",
      authors: ["Ana Núñez"],
      translations: [{ languageCode: "es", title: "El pozo profundo", license: "CC-BY-4.0" }],
    },
  });
export const bookUpdate = updateOf(bookFields).meta({
  id: "BookUpdate",
  description: "Fields of a book to change; omitted fields keep their values.",
  example: { titleEn: "The Very Deep Well", sortOrder: 3 },
});

export type BookCreation = z.output<typeof bookCreation>;
export type BookUpdate = z.output<typeof bookUpdate>;

export const bookParams = z.object({ bookId: recordId.describe("Identifier of the book.") });

export const bookDetailsQuery = z.strictObject({
  preview: z
    .enum(["delete"])
    .optional()
    .describe("Set to `delete` to get what a permanent deletion would remove, instead of the book."),
});

/** Also of a book with counts. */
export const bookExample = {
  id: "01a1fb60-1a34-772b-a309-dba157e20a81",
  slug: "the-deep-well",
  titleEn: "The Deep Well",
  description: "",
  coverImagePath: "/api/books/the-deep-well/cover",
  sortOrder: 1,
  isActive: 1 as const,
  createdAt: "2026-03-01T12:00:00.000Z",
  updatedAt: "2026-03-01T12:00:00.000Z",
  archivedAt: null,
  archivedBy: null,
  publishAt: null,
  unpublishAt: null,
  legacyDownloadCount: 0,
  ...bookCreditsExample,
  version: versionExample,
};

export const book = z
  .object({
    id: uuid.describe("Identifier of the book."),
    slug: z.string().describe("Unique name for URLs; the key of bulk upserts."),
    titleEn: z.string().describe("English title."),
    description: z.string().describe("English description."),
    coverImagePath: z
      .string()
      .describe(
        "Path of the book's default cover; if there is none, path of its public cover, which can be a generated one.",
      ),
    sortOrder: z.int().describe("Position in lists; lower numbers come first."),
    isActive: flag.describe("1 if the book is active, 0 if it is archived."),
    createdAt: timestamp.describe("When the book was created."),
    updatedAt: timestamp.describe("When the book was last changed."),
    archivedAt: timestamp.nullable().describe("Time at which the book was archived; null if it is active."),
    archivedBy: z
      .string()
      .nullable()
      .describe("Name of the user or API key that archived the book; null if it is active."),
    ...bookDates,
    legacyDownloadCount: legacyDownloads,
    ...bookCredits,
    version,
  })
  .meta({
    id: "Book",
    description: "A book in the administration, active or archived.",
    example: bookExample,
  });
export type Book = z.infer<typeof book>;

export const bookDetails = z
  .object({
    book,
    translations: z.array(translation).describe("The book in other languages."),
    files: z.array(bookFile).describe("Active and inactive files in all languages."),
    covers: z.array(coverMetadata).describe("Covers: the default cover first, then by language code."),
    publications: z
      .array(
        z.object({
          channelId: uuid.describe("Identifier of the channel."),
          languageIds: z.array(z.int()).describe("Identifiers of the languages, in ascending order."),
        }),
      )
      .describe(
        "Publications of the book on channels, in the order of the channels. Sub-languages inherit those of their parent, which aren't repeated.",
      )
      .meta({ example: [{ channelId: "01a1fb60-7ab3-7c1e-9f0d-2b8e4a6c1d35", languageIds: [2, 5] }] }),
    publishedLanguages: z
      .array(z.string())
      .describe("BCP 47 codes of the languages in which readers find the book.")
      .meta({ example: ["es", "fr"] }),
  })
  .meta({
    id: "BookDetails",
    description: "A book with its translations, files, covers and publications.",
  });
export type BookDetails = z.infer<typeof bookDetails>;
export const deletionImpact = z
  .object({
    impact: z
      .object({
        translations: count.describe("Number of translations."),
        files: count.describe("Number of files, both uploads and links."),
        localFiles: count.describe("Number of uploaded files."),
        fileBytes: count.describe("Storage that would be freed, in bytes."),
        covers: count.describe("Number of cover images."),
        publications: count.describe("Number of publications on channels."),
        visibilityOverrides: count.describe("Number of visibility overrides in sub-languages."),
        downloadEvents: count.describe("Number of download events. They are kept, with the book's title."),
      })
      .describe("Number of records of each kind that belong to the book."),
  })
  .meta({
    id: "DeletionImpact",
    description: "What a permanent deletion of a book would remove.",
    example: {
      impact: {
        translations: 5,
        files: 9,
        localFiles: 8,
        fileBytes: 1_482_113,
        covers: 2,
        publications: 12,
        visibilityOverrides: 0,
        downloadEvents: 120,
      },
    },
  });
export type DeletionImpact = z.infer<typeof deletionImpact>;
export const bookUpdated = success.extend({ book });

export const bookDeletionQuery = z.strictObject({
  permanent: booleanParameter
    .default(false)
    .describe("Set to `true` to delete the book permanently instead of archiving it."),
});

const archivedExample = {
  ...bookExample,
  isActive: 0,
  updatedAt: "2026-04-01T12:00:00.000Z",
  archivedAt: "2026-04-01T12:00:00.000Z",
  archivedBy: "Sara",
};

/** The archived book, or success after a permanent deletion. */
export const bookDeleted = bookUpdated.or(success).meta({
  id: "BookDeleted",
  description: "The archived book, or only `success` after a permanent deletion.",
  example: { success: true, book: archivedExample },
});

export const bookRestored = success
  .extend({
    book: book
      .pick({ id: true, slug: true, isActive: true, version: true })
      .describe("The book, active again."),
    reactivatedFiles: count.describe(
      "Number of files that became active again; 0 if the book still had an active file.",
    ),
  })
  .meta({
    id: "BookRestored",
    description: "The restored book and the number of reactivated files.",
    example: {
      success: true,
      book: {
        id: "01a1fb60-1a34-772b-a309-dba157e20a81",
        slug: "the-deep-well",
        isActive: 1,
        version: versionExample,
      },
      reactivatedFiles: 2,
    },
  });
export type BookRestored = z.infer<typeof bookRestored>;
