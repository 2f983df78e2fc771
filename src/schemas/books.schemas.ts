/** Books, with what a book's details show. */
import { z } from "zod";
import {
  count,
  flag,
  identifier,
  int32,
  languageCode,
  MAX_INT32,
  multilineText,
  rawText,
  success,
  text,
  timestamp,
} from "./atoms.ts";
import { bookFile } from "./files.schemas.ts";
import { pagination, pagingFields } from "./paging.ts";
import { translation } from "./translations.schemas.ts";

export const title = text({ min: 1, max: 500 });
export const description = multilineText({ max: 10_000 });
export const slug = rawText({ max: 80 })
  .max(80)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must consist of a to z, 0 to 9 and single hyphens");

const bookFields = {
  titleEn: title,
  slug: slug.optional(),
  description: description.optional(),
  coverImagePath: text({ max: 500 }).nullish(),
  sortOrder: int32.optional(),
  legacyDownloadCount: count.max(MAX_INT32).optional(),
};

/** A translation that comes with its book. */
export const bookTranslation = z.strictObject({ languageCode, title, description: description.nullish() });
export type BookTranslation = z.output<typeof bookTranslation>;

export const bookCreation = z
  .strictObject({ ...bookFields, translations: z.array(bookTranslation).max(500).optional() })
  .meta({
    id: "BookCreation",
    examples: [
      { titleEn: "The Deep Well", translations: [{ languageCode: "es", title: "El pozo profundo" }] },
    ],
  });
export const bookUpdate = z
  .strictObject(bookFields)
  .partial()
  .meta({ id: "BookUpdate", examples: [{ titleEn: "The Very Deep Well", sortOrder: 3 }] });

export type BookCreation = z.output<typeof bookCreation>;
export type BookUpdate = z.output<typeof bookUpdate>;

export const bookParams = z.object({ bookId: identifier });

export const bookListQuery = z.strictObject({
  ...pagingFields,
  status: z.enum(["active", "archived", "all"]).default("all"),
  search: text({ max: 200 }).optional(),
  languageCode: languageCode.optional(),
});
export type BookListQuery = z.output<typeof bookListQuery>;

export const bookDetailsQuery = z.strictObject({ preview: z.enum(["delete"]).optional() });

export const bookExample = {
  id: "01a1fb60-1a34-772b-a309-dba157e20a81",
  slug: "the-deep-well",
  titleEn: "The Deep Well",
  description: "",
  coverImagePath: null,
  sortOrder: 1,
  isActive: 1 as const,
  createdAt: "2026-03-01T12:00:00.000Z",
  updatedAt: "2026-03-01T12:00:00.000Z",
  archivedAt: null,
  archivedBy: null,
  legacyDownloadCount: 0,
};

export const book = z
  .object({
    id: z.string(),
    slug: z.string(),
    titleEn: z.string(),
    description: z.string(),
    coverImagePath: z.string().nullable(),
    sortOrder: z.int(),
    isActive: flag,
    createdAt: timestamp,
    updatedAt: timestamp,
    archivedAt: timestamp.nullable(),
    archivedBy: z.string().nullable(),
    legacyDownloadCount: count,
  })
  .meta({ id: "Book", examples: [bookExample] });
export type Book = z.infer<typeof book>;

export const adminBook = book
  .extend({
    translationsCount: count,
    filesCount: count,
    languages: z.array(z.string()),
    totalDownloads: count,
  })
  .meta({
    id: "AdminBook",
    examples: [
      { ...bookExample, translationsCount: 5, filesCount: 9, languages: ["ar", "es"], totalDownloads: 120 },
    ],
  });
export type AdminBook = z.infer<typeof adminBook>;

export const bookList = z.object({ books: z.array(adminBook), pagination });
export const bookDetails = z
  .object({ book, translations: z.array(translation), files: z.array(bookFile) })
  .meta({ id: "BookDetails" });
export const deletionImpact = z
  .object({
    impact: z.object({
      translations: count,
      files: count,
      localFiles: count,
      fileBytes: count,
      covers: count,
      publications: count,
      visibilityOverrides: count,
      downloadEvents: count,
    }),
  })
  .meta({
    id: "DeletionImpact",
    examples: [
      {
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
    ],
  });
export const bookUpdated = success.extend({ book });
