/** Bulk upsert: many books in one request. */
import { z } from "zod";
import { booleanParameter, count, optional } from "./atoms.ts";
import { activeWhenMade, bookFields, bookTranslationFields, slug } from "./books.schemas.ts";
import { upsertOf } from "./fields.ts";
import { cloudFileExample, cloudFileFields } from "./files.schemas.ts";
import { fieldError } from "./problem.schemas.ts";
import { title } from "./translations.schemas.ts";

export const MAX_BULK_ITEMS = 1000;

/** A thousand books with five translations and five links each need 3 MiB. */
export const MAX_BULK_BYTES = 4 * 1024 * 1024;

/** Translations, or links, of a book. */
export const MAX_PARTS = 500;

const bulkTranslation = upsertOf(bookTranslationFields);
export type BulkTranslation = z.output<typeof bulkTranslation>;

const bulkFile = upsertOf(cloudFileFields).meta({
  id: "BulkFile",
  description: "A link to a file in cloud storage, to create or update.",
  example: cloudFileExample,
});
export type BulkFile = z.output<typeof bulkFile>;

/** A book as in a request for a single book, with its cloud files. */
export const bulkItem = upsertOf(bookFields)
  .extend({
    slug: bookFields.slug.creation,
    isActive: activeWhenMade,
    translations: optional(z.array(bulkTranslation).max(MAX_PARTS)).describe(
      "Titles and descriptions in other languages, matched by language.",
    ),
    files: optional(z.array(bulkFile).max(MAX_PARTS)).describe(
      "Links to files in cloud storage, matched by language and type.",
    ),
  })
  .meta({
    id: "BulkItem",
    description:
      "A book to create or update, matched by `slug`. Without it, the slug is derived from `titleEn`, and matches only a book whose `titleEn` is equal but for case and white space. In an existing book, `null` is invalid for `sortOrder` and `legacyDownloadCount`.",
  });
export type BulkItem = z.output<typeof bulkItem>;

const partsOf = <S extends z.ZodType>(part: S) =>
  z.array(part.optional().catch(undefined)).max(MAX_PARTS).catch([]);

/** The valid parts of an item that is invalid as a whole: undefined for invalid parts, and "" for a slug. */
export const rightParts = z
  .object({
    slug: optional(slug).catch(""),
    titleEn: title.optional().catch(undefined),
    translations: partsOf(bulkTranslation),
    files: partsOf(bulkFile),
  })
  .catch({ slug: "", titleEn: undefined, translations: [], files: [] });

export const bulkRequest = z
  .strictObject({
    books: z
      .array(bulkItem)
      .min(1)
      .max(MAX_BULK_ITEMS)
      .describe("Up to 1,000 books. Each is written completely or not at all."),
  })
  .meta({
    id: "BulkRequest",
    description: "Books to create or update.",
    example: {
      books: [
        {
          slug: "the-deep-well",
          titleEn: "The Deep Well",
          translations: [{ languageCode: "es", title: "El pozo profundo" }],
          files: [cloudFileExample],
        },
      ],
    },
  });

/** The checks of the whole request; each item is then checked separately. */
export const bulkEnvelope = bulkRequest.extend({ books: z.array(z.unknown()).min(1).max(MAX_BULK_ITEMS) });

export const bulkQuery = z.strictObject({
  dryRun: booleanParameter
    .default(false)
    .describe("Set to `true` to get the result without storing any change."),
});

const bulkStatus = z.enum(["created", "updated", "failed"]);

const bulkResult = z
  .object({
    index: count.describe("Position of the book in the request, counted from 0."),
    slug: z.string().describe("Slug that identified the book; empty if it could not be determined."),
    status: bulkStatus.describe("`created`, `updated`, or `failed` if the book was left unchanged."),
    bookId: z
      .string()
      .describe(
        "Identifier of the book; empty if the item failed, and for a new book in a dry run. With `slug_of_another_title` that of the book to which the slug belongs.",
      ),
    translationsUpserted: count.describe("Number of translations written."),
    filesUpserted: count.describe("Number of files written."),
    error: z.string().optional().describe("Reason for the failure, in one sentence."),
    code: z
      .literal("slug_of_another_title")
      .optional()
      .describe(
        "Set if the slug that is derived from the title belongs to a book with another title: nothing is changed. Send a `slug`.",
      ),
    errors: z.array(fieldError).optional().describe("Invalid values of this book, if it failed."),
  })
  .meta({ id: "BulkResult", description: "Result of one item of the request." });
export type BulkResult = z.infer<typeof bulkResult>;

export const bulkResponse = z
  .object({
    summary: z
      .object({
        total: count.describe("Number of books in the request."),
        created: count.describe("Number of books created."),
        updated: count.describe("Number of existing books that matched, whether or not they changed."),
        failed: count.describe("Number of books that failed and were left unchanged."),
      })
      .describe("Number of books by result."),
    results: z.array(bulkResult).describe("One result per book, in the order of the request."),
  })
  .meta({
    id: "BulkAnswer",
    description: "Result of a bulk upsert.",
    example: {
      summary: { total: 2, created: 1, updated: 0, failed: 1 },
      results: [
        {
          index: 0,
          slug: "the-deep-well",
          status: "created",
          bookId: "01a1fb60-1a34-772b-a309-dba157e20a81",
          translationsUpserted: 1,
          filesUpserted: 1,
        },
        {
          index: 1,
          slug: "the-high-hill",
          status: "failed",
          bookId: "",
          translationsUpserted: 0,
          filesUpserted: 0,
          error: "books.1.translations.0.languageCode: language xx does not exist; create it first",
          errors: [
            {
              in: "body",
              path: "books.1.translations.0.languageCode",
              message: "language xx does not exist; create it first",
              code: "unknown_language",
            },
          ],
        },
      ],
    },
  });
export type BulkResponse = z.infer<typeof bulkResponse>;
