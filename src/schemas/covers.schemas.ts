/** Covers: what administrators see of them, and how readers ask for one. */
import { z } from "zod";
import { count, identifier, integerParameter, languageCode, success, timestamp } from "./atoms.ts";
import { COVER_UPLOAD_TYPES, COVER_WIDTHS } from "./cover-types.ts";

/** Stands for a language code where the book's own cover is meant. No language has a code of its length. */
export const DEFAULT_COVER = "default";

export const coverParams = z.object({
  bookId: identifier,
  languageCode: z.literal(DEFAULT_COVER).or(languageCode),
});

export const coverMetadata = z
  .object({
    id: z.string(),
    bookId: z.string(),
    languageId: z.int().nullable(),
    languageCode: z.string(),
    contentType: z.enum(COVER_UPLOAD_TYPES),
    width: count,
    height: count,
    fileSizeBytes: count,
    sha256: z.string(),
    url: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: "CoverMetadata",
    examples: [
      {
        id: "01a1fb60-1a34-772b-a309-dba157e20a84",
        bookId: "01a1fb60-1a34-772b-a309-dba157e20a81",
        languageId: 2,
        languageCode: "es",
        contentType: "image/jpeg",
        width: 1200,
        height: 1800,
        fileSizeBytes: 184_320,
        sha256: "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
        url: "/api/admin/books/01a1fb60-1a34-772b-a309-dba157e20a81/covers/es",
        createdAt: "2026-03-01T12:00:00.000Z",
        updatedAt: "2026-03-01T12:00:00.000Z",
      },
    ],
  });
export type CoverMetadata = z.infer<typeof coverMetadata>;

export const coverList = z.object({ covers: z.array(coverMetadata) });
export const coverUpdated = success.extend({ cover: coverMetadata });

/** In pixels; large enough for a page about the book. */
const DEFAULT_WIDTH = 640;

export const publicCoverQuery = z.object({
  languageCode: languageCode.optional(),
  width: integerParameter(0)
    .pipe(z.literal(COVER_WIDTHS, { error: `must be one of ${COVER_WIDTHS.join(", ")}` }))
    .default(DEFAULT_WIDTH)
    .meta({ wire: { type: "integer", enum: COVER_WIDTHS } }),
});
export type PublicCoverQuery = z.output<typeof publicCoverQuery>;
