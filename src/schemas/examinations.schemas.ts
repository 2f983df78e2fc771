/** What an examination of a file finds, in responses and as it is stored. */
import { z } from "zod";
import { recordId } from "./atoms.ts";
import { contentRemark } from "./content-remarks.schemas.ts";
import { bookCredits, bookCreditsExample, editionCredits, editionCreditsExample } from "./credits.schemas.ts";
import { fileType, knownPlace, knownSize, sha256Example } from "./files.schemas.ts";

/** As in the file, within the limits of the fields of a book. */
export const fileMetadata = z.object({
  title: z.string().nullable().describe("Title; null if the file has none."),
  languageCode: z
    .string()
    .nullable()
    .describe("BCP 47 code of the language, which needn't exist here; null if the file has none."),
  description: z.string().nullable().describe("Description as plain text; null if the file has none."),
  ...bookCredits,
  ...editionCredits("this language"),
});
export type FileMetadata = z.infer<typeof fileMetadata>;

/** What the bytes of a file say, regardless of its name. */
export const storedExamination = z.object({
  /** The types that fit the content, most likely first. */
  types: z.array(fileType),
  /** What the content is, as the end of a sentence. */
  contentName: z.string(),
  /** Why an archive isn't a book: it contains books. */
  booksInside: z.string().nullable(),
  /** Null if files of its type have none, and if it can't be read. */
  metadata: fileMetadata.nullable(),
  hasCover: z.boolean(),
  /** Why the metadata can't be read. */
  error: z.string().nullable(),
  /** Whether the file names a cover that isn't in it. Older examinations don't say it. */
  coverIsMissing: z.boolean().default(false),
  /** Why the cover, or the image that the file is, can't be used; null if it can. Undefined before it was tried. */
  coverError: z.string().nullable().optional(),
});
export type Examination = z.infer<typeof storedExamination>;

export const examinationQuery = z.strictObject({
  importId: recordId.optional().describe("The import for which the bytes are kept, if it needs them."),
});

/** As in LEFT_OUT_CODES. */
const EXAMINATION_ERROR_CODES = ["content_unfit", "books_inside"] as const;

export const examinedFile = z
  .object({
    fileType: fileType
      .nullable()
      .describe("Format of the file by its content and name; null if unsupported."),
    fileSizeBytes: knownSize,
    sha256: z.string().describe("SHA-256 of the file in hexadecimal."),
    metadata: fileMetadata
      .nullable()
      .describe(
        "What the file says about its book; null if files of its format don't, or if it can't be read.",
      ),
    hasCover: z.boolean().describe("Whether the file contains a cover."),
    knownAs: z.array(z.object(knownPlace)).describe("The files of books that have the same bytes already."),
    remarks: z.array(contentRemark).describe("What is worth knowing of the file; a remark refuses nothing."),
    errors: z
      .array(z.string())
      .describe("Why the file can't be a book, or not under its name: a sentence for each reason."),
    errorCodes: z
      .array(z.enum(EXAMINATION_ERROR_CODES))
      .describe(
        "The same as stable codes: `content_unfit` if the content isn't of the type of the name, or of none that is accepted, and `books_inside` for an archive of books. Later versions may add some: for an unknown code, show the sentence.",
      ),
  })
  .meta({
    id: "ExaminedFile",
    description: "What an examination of a file has found.",
    example: {
      fileType: "epub",
      fileSizeBytes: 48_213,
      sha256: sha256Example,
      metadata: {
        title: "El pozo profundo",
        languageCode: "es",
        description: null,
        ...bookCreditsExample,
        ...editionCreditsExample,
      },
      hasCover: true,
      knownAs: [],
      remarks: [],
      errors: [],
      errorCodes: [],
    },
  });
export type ExaminedFile = z.infer<typeof examinedFile>;
