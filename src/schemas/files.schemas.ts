/** Files of a book: uploaded bytes or a link to a cloud storage. */
import { z } from "zod";
import { cleanFileName } from "../lib/file-names.ts";
import { count, flag, identifier, languageCode, rawTextToTrim, success, text, timestamp } from "./atoms.ts";
import { FILE_TYPES, SOURCE_TYPES } from "./file-types.ts";

export const fileType = z.enum(FILE_TYPES);
export const sourceType = z.enum(SOURCE_TYPES);
const cloudSourceType = sourceType.exclude(["local"]);
/** As it is shown and sent: without folders, directions and whatever else a reader's system would stumble over. */
const fileName = text({ min: 1, max: 255 })
  .transform((name) => cleanFileName(name, ""))
  .refine((name) => name !== "", { error: "must be a file name" });
const fileSizeBytes = z.int().min(0);
const cloudUrl = rawTextToTrim(2048).trim().min(1).max(2048);

export const cloudFileCreation = z
  .strictObject({
    languageCode,
    fileType,
    sourceType: cloudSourceType,
    cloudUrl,
    fileName,
    fileSizeBytes: fileSizeBytes.optional(),
  })
  .meta({
    id: "CloudFileCreation",
    examples: [
      {
        languageCode: "es",
        fileType: "pdf",
        sourceType: "google_drive",
        cloudUrl: "https://drive.google.com/file/d/1AbCdEfGhIjKlMnOpQrStUvWxYz012345/view",
        fileName: "pozo.pdf",
        fileSizeBytes: 120_000,
      },
    ],
  });
export type CloudFileCreation = z.output<typeof cloudFileCreation>;

/** The text fields of a multipart upload. */
export const fileUploadFields = z
  .strictObject({ languageCode, fileType: fileType.optional() })
  .meta({ examples: [{ languageCode: "es", fileType: "epub" }] });
export type FileUploadFields = z.output<typeof fileUploadFields>;

export const fileUpdate = z
  .strictObject({
    fileName,
    cloudUrl,
    sourceType: cloudSourceType,
    fileSizeBytes,
    languageCode,
    fileType,
    isActive: flag,
  })
  .partial()
  .meta({ id: "FileUpdate", examples: [{ fileName: "well.epub", isActive: 1 }] });
export type FileUpdate = z.output<typeof fileUpdate>;

export const fileParams = z.object({ bookId: identifier, fileId: identifier });

export const bookFile = z
  .object({
    id: z.string(),
    languageId: z.int(),
    fileType,
    sourceType,
    fileName: z.string(),
    fileSizeBytes: count,
    downloadCount: count,
    languageCode: z.string(),
    isActive: flag,
    sha256: z.string().nullable(),
    cloudUrl: z.string().nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: "BookFile",
    examples: [
      {
        id: "01a1fb60-1a34-772b-a309-dba157e20a83",
        languageId: 2,
        fileType: "epub",
        sourceType: "local",
        fileName: "pozo.epub",
        fileSizeBytes: 48_213,
        downloadCount: 12,
        languageCode: "es",
        isActive: 1,
        sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        cloudUrl: null,
        createdAt: "2026-03-01T12:00:00.000Z",
        updatedAt: "2026-03-01T12:00:00.000Z",
      },
    ],
  });
export type BookFile = z.infer<typeof bookFile>;

export const fileList = z.object({ files: z.array(bookFile) });
export const fileUpdated = success.extend({ file: bookFile });
