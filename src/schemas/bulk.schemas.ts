/** Bulk upsert: many books in one request. */
import { z } from "zod";
import { booleanParameter, count, optional } from "./atoms.ts";
import { bookCreation, bookTranslation, slug, title } from "./books.schemas.ts";
import { cloudFileCreation } from "./files.schemas.ts";
import { fault } from "./problem.schemas.ts";

export const MAX_BULK_ITEMS = 1000;

/** A thousand books with five long descriptions each need 29 MiB. */
export const MAX_BULK_BYTES = 32 * 1024 * 1024;

const MAX_PARTS = 500;

/** A book as a request for one book gives it, with its files in the cloud. */
export const bulkItem = bookCreation
  .extend({ files: optional(z.array(cloudFileCreation).max(MAX_PARTS)) })
  .meta({ id: "BulkItem" });
export type BulkItem = z.output<typeof bulkItem>;

const partsOf = <S extends z.ZodType>(part: S) =>
  z.array(part.optional().catch(undefined)).max(MAX_PARTS).catch([]);

/** What is right in an item that isn't right as a whole: undefined in the place of all else, and "" for a slug. */
export const rightParts = z
  .object({
    slug: optional(slug).catch(""),
    titleEn: title.optional().catch(undefined),
    translations: partsOf(bookTranslation),
    files: partsOf(cloudFileCreation),
  })
  .catch({ slug: "", titleEn: undefined, translations: [], files: [] });

export const bulkRequest = z.strictObject({ books: z.array(bulkItem).min(1).max(MAX_BULK_ITEMS) }).meta({
  id: "BulkRequest",
  examples: [
    {
      books: [
        {
          slug: "the-deep-well",
          titleEn: "The Deep Well",
          translations: [{ languageCode: "es", title: "El pozo profundo" }],
          files: [
            {
              languageCode: "es",
              fileType: "pdf",
              sourceType: "google_drive",
              cloudUrl: "https://drive.google.com/file/d/1AbCdEfGhIjKlMnOpQrStUvWxYz012345/view",
              fileName: "pozo.pdf",
              fileSizeBytes: 120_000,
            },
          ],
        },
      ],
    },
  ],
});

/** Reads an item, once more whenever it is called. */
const itemReader = z.custom<() => unknown>((value) => typeof value === "function");

/** What is refused as a whole; each item stands or falls by itself. */
export const bulkEnvelope = bulkRequest.extend({ books: z.array(itemReader).min(1).max(MAX_BULK_ITEMS) });

export const bulkQuery = z.strictObject({ dryRun: booleanParameter.default(false) });

const bulkStatus = z.enum(["created", "updated", "failed"]);

const bulkResult = z
  .object({
    index: count,
    slug: z.string(),
    status: bulkStatus,
    bookId: z.string(),
    translationsUpserted: count,
    filesUpserted: count,
    error: z.string().optional(),
    errors: z.array(fault).optional(),
  })
  .meta({ id: "BulkResult" });
export type BulkResult = z.infer<typeof bulkResult>;

export const bulkAnswer = z
  .object({
    summary: z.object({ total: count, created: count, updated: count, failed: count }),
    results: z.array(bulkResult),
  })
  .meta({
    id: "BulkAnswer",
    examples: [
      {
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
            error: "books.1.translations.0.languageCode: there is no language xx; create it first",
            errors: [
              {
                in: "body",
                path: "books.1.translations.0.languageCode",
                message: "there is no language xx; create it first",
                code: "unknown_language",
              },
            ],
          },
        ],
      },
    ],
  });
export type BulkAnswer = z.infer<typeof bulkAnswer>;
