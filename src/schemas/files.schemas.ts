/** Files of a book: uploaded bytes or a link to a cloud storage. */
import { z } from "zod";
import { findLinkError } from "../lib/cloud-links.ts";
import { cleanFileName } from "../lib/file-names.ts";
import {
  addressText,
  count,
  flag,
  flagField,
  languageCode,
  MAX_ADDRESS,
  optional,
  recordId,
  success,
  text,
  timestamp,
  uuid,
  version,
  versionExample,
} from "./atoms.ts";
import { rule, withCode } from "./error-codes.ts";
import { clearable, creationOf, required, updateOf } from "./fields.ts";
import { FILE_TYPES, SOURCE_TYPES } from "./file-types.ts";
import { remarks } from "./remarks.schemas.ts";
import { replacedContents, replacedSha256 } from "./replaced-contents.schemas.ts";

export const fileType = z
  .enum(FILE_TYPES)
  .meta({ id: "FileType", description: "Formats of files.", example: "epub" });
export const sourceType = z.enum(SOURCE_TYPES).meta({
  id: "SourceType",
  description: "Where a file is stored: `local` for an upload, otherwise the cloud storage provider.",
  example: "google_drive",
});
const cloudSourceType = sourceType.exclude(["local"]);
/** As it is shown and sent: without folders, marks of direction and other characters that cause trouble on some systems. */
const fileName = text({ min: 1, max: 255 })
  .transform((name) => cleanFileName(name, ""))
  .refine((name) => name !== "", rule("invalid_format", "must be a file name"));
const fileSizeBytes = z.int().min(0);
/** What depends on the service, such as its own storage, is checked later: all that is wrong by itself is named here. */
const cloudUrl = addressText
  .min(1)
  .superRefine((url, context) => {
    if (url === "" || url.length > MAX_ADDRESS) return;
    const error = findLinkError(url);
    if (error) context.addIssue({ code: "custom", message: error.message, params: withCode(error.code) });
  })
  .meta({ format: "uri" });

/** In responses. */
export const knownSize = count.describe("Size in bytes; 0 if unknown, as of a link without a size.");

export const cloudFileFields = {
  languageCode: required(languageCode, "BCP 47 code of the language."),
  fileType: required(fileType, "Format of the file."),
  sourceType: required(cloudSourceType, "Cloud storage provider; `url` for any other public URL."),
  cloudUrl: required(cloudUrl, "Public https URL of the file, such as the provider's share link."),
  fileName: required(fileName, "Name of the downloaded file."),
  fileSizeBytes: clearable(fileSizeBytes, 0, "Size in bytes, for display; 0 if unknown."),
};
export const cloudFileExample = {
  languageCode: "es",
  fileType: "pdf",
  sourceType: "google_drive",
  cloudUrl: "https://drive.google.com/file/d/1AbCdEfGhIjKlMnOpQrStUvWxYz012345/view",
  fileName: "pozo.pdf",
  fileSizeBytes: 120_000,
};

export const cloudFileCreation = creationOf(cloudFileFields).meta({
  id: "CloudFileCreation",
  description: "A link to a file in cloud storage.",
  example: cloudFileExample,
});
export type CloudFileCreation = z.output<typeof cloudFileCreation>;

const DETECTED_TYPE =
  "Format of the file. Detected from the content if omitted; rejected if it doesn't match the content.";

/** The text fields of a multipart upload. */
export const fileUploadFields = z
  .strictObject({
    languageCode: languageCode.describe("BCP 47 code of an existing language, such as `es`."),
    fileType: fileType.optional().describe(DETECTED_TYPE),
  })
  .meta({ example: { languageCode: "es", fileType: "epub" } });
export type FileUploadFields = z.output<typeof fileUploadFields>;

export const fileUpdate = updateOf({
  fileName: required(fileName, "Name of the downloaded file."),
  sourceType: required(sourceType, "Cloud storage provider."),
  fileSizeBytes: clearable(fileSizeBytes, 0, "Size in bytes of a file in cloud storage; 0 if unknown."),
  languageCode: required(languageCode, "BCP 47 code of the language to move the file to."),
  fileType: required(fileType, "Format of a file in cloud storage."),
  isActive: required(
    flagField,
    "1 to activate the file, which deactivates any other active file of the same language and type; 0 to deactivate it.",
  ),
})
  .extend({
    /** `null` is left to the service. */
    cloudUrl: cloudUrl
      .nullish()
      .describe(
        "Public https URL of a file in cloud storage. `null` changes nothing of an upload, and is invalid for a link.",
      ),
  })
  .meta({
    id: "FileUpdate",
    description: "Fields of a file to change; omitted fields keep their values.",
    example: { fileName: "well.epub", isActive: 1 },
  });
export type FileUpdate = z.output<typeof fileUpdate>;

export const fileParams = z.object({
  bookId: recordId.describe("Identifier of the book."),
  fileId: recordId.describe("Identifier of the file."),
});
export type FileParams = z.output<typeof fileParams>;

export const replacedFileParams = fileParams.extend({ sha256: replacedSha256 });
export type ReplacedFileParams = z.output<typeof replacedFileParams>;

/** In a request. */
export const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "must be a SHA-256 in 64 lower-case hexadecimal digits");
export const sha256Example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

const storedFileFields = {
  languageCode: languageCode.describe("BCP 47 code of an existing language, such as `es`."),
  fileName: fileName.describe("Name of the downloaded file."),
  sha256: sha256.describe("SHA-256 of the content, in lower-case hexadecimal digits."),
};
const storedFileExample = {
  languageCode: "es",
  fileType: "epub",
  fileName: "pozo.epub",
  sha256: sha256Example,
};

export const storedFileCreation = z
  .strictObject({ ...storedFileFields, fileType: optional(fileType).describe(DETECTED_TYPE) })
  .meta({
    id: "StoredFileCreation",
    description: "A file whose content the service has already.",
    example: storedFileExample,
  });
export type StoredFileCreation = z.output<typeof storedFileCreation>;

export const storedFileReplacement = z
  .strictObject({
    languageCode: optional(languageCode).describe(
      "BCP 47 code of the file's language; no other is accepted.",
    ),
    fileType: optional(fileType).describe("Format of the file; no other is accepted."),
    fileName: optional(fileName).describe("Name of the downloaded file; the file keeps its name if omitted."),
    sha256: storedFileFields.sha256,
  })
  .meta({
    id: "StoredFileReplacement",
    description: "New content of a file, which the service has already.",
    example: storedFileExample,
  });
export type StoredFileReplacement = z.output<typeof storedFileReplacement>;

export const bookFile = z
  .object({
    id: uuid.describe("Identifier of the file."),
    languageId: z.int().describe("Identifier of the language."),
    fileType: fileType.describe("Format of the file."),
    sourceType: sourceType.describe("`local` for an upload; otherwise the cloud storage provider."),
    fileName: z.string().describe("Name of the file, as uploaded or given."),
    fileSizeBytes: knownSize,
    downloadCount: count.describe("Number of requests whose link was used to download this file."),
    languageCode: z.string().describe("BCP 47 code of the language."),
    isActive: flag.describe("1 if readers get this file, 0 if it was replaced or deactivated."),
    sha256: z.string().nullable().describe("SHA-256 of an upload in hexadecimal; null for a cloud file."),
    cloudUrl: z
      .string()
      .meta({ format: "uri" })
      .nullable()
      .describe("URL in cloud storage; null for an upload."),
    createdAt: timestamp.describe("When the file was created."),
    updatedAt: timestamp.describe("When the file was last changed."),
    version,
    replaced: replacedContents,
    remarks,
  })
  .meta({
    id: "BookFile",
    description: "A file of a book: an upload or a link to cloud storage.",
    example: {
      id: "01a1fb60-1a34-772b-a309-dba157e20a83",
      languageId: 2,
      fileType: "epub",
      sourceType: "local",
      fileName: "pozo.epub",
      fileSizeBytes: 48_213,
      downloadCount: 12,
      languageCode: "es",
      isActive: 1,
      sha256: sha256Example,
      cloudUrl: null,
      createdAt: "2026-03-01T12:00:00.000Z",
      updatedAt: "2026-03-01T12:00:00.000Z",
      version: versionExample,
      replaced: [],
    },
  });
export type BookFile = z.infer<typeof bookFile>;

export const fileList = z.object({
  files: z.array(bookFile).describe("Active and inactive files, in all languages."),
});
export const MAX_LOOKED_UP = 1000;

export const fileLookup = z
  .strictObject({
    sha256: z
      .array(sha256)
      .min(1)
      .max(MAX_LOOKED_UP)
      .describe("SHA-256 of each file, in lower-case hexadecimal digits."),
  })
  .meta({ id: "FileLookup", description: "Files to look up.", example: { sha256: [sha256Example] } });

/** Where bytes are already. */
export const knownPlace = {
  bookId: uuid.describe("Identifier of the book."),
  fileId: uuid.describe("Identifier of the file."),
  languageCode: z.string().describe("BCP 47 code of the language."),
};

export const knownFiles = z
  .object({
    files: z
      .array(
        z.object({
          sha256: z.string().describe("SHA-256 of the file, as in the request."),
          ...knownPlace,
          fileType: fileType.describe("Format of the file."),
        }),
      )
      .describe("The active and inactive files with these bytes, ordered by SHA-256."),
    replaced: z
      .array(
        z.object({
          sha256: z.string().describe("SHA-256 of the former content, as in the request."),
          bookId: knownPlace.bookId,
          fileId: knownPlace.fileId,
          until: timestamp.describe("Until when the former content is kept."),
        }),
      )
      .describe("The files that had these bytes before and can have them again, ordered by SHA-256."),
    examined: z
      .array(z.string())
      .describe(
        "SHA-256 of the files that were examined within about an hour and whose bytes are kept: they needn't be sent again.",
      ),
  })
  .meta({
    id: "KnownFiles",
    description: "Where the same bytes are already.",
    example: {
      files: [
        {
          sha256: sha256Example,
          bookId: "01a1fb60-1a34-772b-a309-dba157e20a81",
          fileId: "01a1fb60-1a34-772b-a309-dba157e20a83",
          languageCode: "es",
          fileType: "epub",
        },
      ],
      replaced: [],
      examined: [sha256Example],
    },
  });
export type KnownFiles = z.infer<typeof knownFiles>;

export const fileDeleted = success
  .extend({
    stillPublished: z
      .boolean()
      .describe("Whether the book is still published in the language of the deleted file."),
  })
  .meta({
    id: "FileDeleted",
    description: "The result of deleting a file.",
    example: { success: true, stillPublished: true },
  });
export const fileUpdated = success.extend({ file: bookFile });
