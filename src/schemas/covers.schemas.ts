/** Covers: metadata for administrators, and requests for images. */
import { z } from "zod";
import {
  booleanParameter,
  count,
  integerParameter,
  languageCode,
  recordId,
  success,
  timestamp,
  uuid,
} from "./atoms.ts";
import { sha256, sha256Example } from "./files.schemas.ts";
import { remarks } from "./remarks.schemas.ts";
import { replacedContents, replacedSha256 } from "./replaced-contents.schemas.ts";

/** Types in which covers are stored: that of the upload, if it is one of them. */
export const COVER_STORED_TYPES = ["image/jpeg", "image/png", "image/webp"] as const;
export type CoverStoredType = (typeof COVER_STORED_TYPES)[number];

/** Types that can be uploaded. The first frame of a GIF is stored as PNG. */
export const COVER_UPLOAD_TYPES = [...COVER_STORED_TYPES, "image/gif"] as const;
export type CoverUploadType = (typeof COVER_UPLOAD_TYPES)[number];

/** Types in which a cover can be sent. */
export const COVER_CONTENT_TYPES = [...COVER_STORED_TYPES, "image/avif"] as const;
export type CoverContentType = (typeof COVER_CONTENT_TYPES)[number];

/** In pixels. A narrower cover is never enlarged. */
export const COVER_WIDTHS = [160, 320, 640, 1200] as const;
export type CoverWidth = (typeof COVER_WIDTHS)[number];

export const MAX_COVER_BYTES = 10 * 1024 * 1024;

/** Used instead of a language code for the default cover. No language code has this length. */
export const DEFAULT_COVER = "default";

export const coverParams = z.object({
  bookId: recordId.describe("Identifier of the book."),
  languageCode: z
    .literal(DEFAULT_COVER)
    .or(languageCode)
    .describe("BCP 47 code of the cover's language, or `default` for the default cover."),
});

export const replacedCoverParams = coverParams.extend({ sha256: replacedSha256 });
export type ReplacedCoverParams = z.output<typeof replacedCoverParams>;

export const storedCover = z
  .strictObject({ sha256: sha256.describe("SHA-256 of the bytes, in lower-case hexadecimal digits.") })
  .meta({
    id: "StoredCover",
    description: "A cover whose bytes the service has already.",
    example: { sha256: sha256Example },
  });

export const coverMetadata = z
  .object({
    id: uuid.describe("Identifier of the cover."),
    bookId: uuid.describe("Identifier of the book."),
    languageId: z
      .int()
      .nullable()
      .describe("Identifier of the cover's language; null for the default cover."),
    languageCode: z
      .string()
      .describe("BCP 47 code of the cover's language; `default` for the default cover."),
    contentType: z.enum(COVER_STORED_TYPES).describe("Media type of the stored image."),
    width: count.describe("Width in pixels."),
    height: count.describe("Height in pixels."),
    fileSizeBytes: count.describe("Size of the stored image in bytes."),
    sha256: z.string().describe("SHA-256 of the stored image in hexadecimal."),
    url: z.string().describe("Path of the stored image, for administrators."),
    createdAt: timestamp.describe("When the cover was created."),
    updatedAt: timestamp.describe("When the cover was last changed."),
    replaced: replacedContents,
    remarks,
  })
  .meta({
    id: "CoverMetadata",
    description: "Metadata of a cover image.",
    example: {
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
      replaced: [],
    },
  });
export type CoverMetadata = z.infer<typeof coverMetadata>;

export const coverList = z.object({
  covers: z.array(coverMetadata).describe("Covers: the default cover first, then by language code."),
});
export const coverUpdated = success.extend({ cover: coverMetadata });

/** In pixels; large enough for a page about the book. */
export const DEFAULT_COVER_WIDTH = 640;

const coverWidth = <W extends CoverWidth>(widths: readonly W[]) =>
  integerParameter(0)
    .pipe(z.literal(widths, { error: `must be one of ${widths.join(", ")}` }))
    .meta({ wire: { type: "integer", enum: widths } });

export const publicCoverQuery = z.object({
  languageCode: languageCode
    .optional()
    .describe(
      "BCP 47 code of the preferred language. If there is no cover in this language, another one is returned.",
    ),
  width: coverWidth(COVER_WIDTHS)
    .default(DEFAULT_COVER_WIDTH)
    .describe("Maximum width of the image in pixels. A narrower image is not enlarged."),
});
export type PublicCoverQuery = z.output<typeof publicCoverQuery>;

/** For lists and details; the largest one is that of public pages. */
const ADMIN_COVER_WIDTHS = [160, 320, 640] as const;

export const coverQuery = z.strictObject({
  width: coverWidth(ADMIN_COVER_WIDTHS)
    .optional()
    .describe(
      "Maximum width of the image in pixels. A narrower image is not enlarged. Without it, the stored image is returned.",
    ),
  fallback: booleanParameter
    .default(false)
    .describe(
      "`true` returns what readers of the language see, also of books that aren't published or are archived: if there is no cover in the language, that of its parent language, the default cover, the English one, one in any other language, or one with the title. The default of `width` is then 640.",
    ),
});
export type CoverQuery = z.output<typeof coverQuery>;
