/** Plans of imports: which books a folder of files would become. */
import { z } from "zod";
import { booleanField, count, filePath, flag, optional } from "./atoms.ts";
import { rule, withCode } from "./error-codes.ts";
import { fileType, knownPlace, sha256, sha256Example } from "./files.schemas.ts";
import { importCorrection, importCorrections, uncheckedCorrections } from "./import-corrections.schemas.ts";
import { importNotice } from "./import-notices.schemas.ts";
import { importRules } from "./import-rules.schemas.ts";
import { direction } from "./languages.schemas.ts";
import { remark } from "./remarks.schemas.ts";

export const MAX_PLANNED_FILES = 10_000;

export const MAX_PLAN_BYTES = 4 * 1024 * 1024;

/** Of a catalogue that was sent before: over a kilobyte for each file of a plan. */
export const MAX_PLANNED_CATALOGUE_BYTES = 16 * 1024 * 1024;

const plannedFile = z.strictObject({
  path: filePath.describe("Path below the imported folder, with slashes, such as `es/the-deep-well.epub`."),
  sha256: sha256.describe("SHA-256 of the content, in lower-case hexadecimal digits."),
});
export type PlannedFile = z.output<typeof plannedFile>;

/** What isn't a file is an error of its own. */
const pathOf = (file: unknown): unknown =>
  typeof file === "object" && file !== null && "path" in file && typeof file.path === "string"
    ? file.path
    : file;

const isOnce = (files: readonly unknown[]): boolean => new Set(files.map(pathOf)).size === files.length;

/** Whether a catalogue of this name is a workbook. */
export const isWorkbook = (name: string): boolean => /\.xlsx$/i.test(name);

export const importCatalogue = z
  .strictObject({
    name: filePath
      .regex(/\.(?:json|csv|xlsx)$/i, "must end with .json, .csv or .xlsx")
      .describe("Path of the catalogue below the imported folder; its ending says which kind it is."),
    text: optional(z.string().min(1)).describe("The whole catalogue, a JSON or CSV file."),
    sha256: optional(sha256).describe(
      "In place of `text`, the SHA-256 of a catalogue that was sent to `POST /api/admin/files/examine` before, up to 16 MiB. A workbook can be named only so.",
    ),
    ignoreUnknownColumns: optional(booleanField).describe(
      "Whether columns of a spreadsheet that aren't known are left out; otherwise they are an error.",
    ),
  })
  .check(({ value: { name, text, sha256 }, issues }) => {
    const reject = (path: string, code: "missing" | "invalid_value", message: string) =>
      issues.push({ code: "custom", input: text, path: [path], message, params: withCode(code) });
    if (text !== undefined && sha256 !== undefined) reject("sha256", "invalid_value", "excludes `text`");
    else if (isWorkbook(name) && sha256 === undefined)
      reject("sha256", "missing", "is required for a workbook: examine it first");
    else if (text === undefined && sha256 === undefined)
      reject("text", "missing", "is required, or `sha256`");
  });

const listOfFiles = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .min(1)
    .max(MAX_PLANNED_FILES)
    .refine(isOnce, rule("invalid_value", "must have each path once"));

export const plannedFiles = listOfFiles(plannedFile);

/** The items are validated one by one: ten thousand would hold the event loop. */
export const uncheckedLists = {
  files: listOfFiles(z.unknown()),
  corrections: optional(uncheckedCorrections),
};
export const listedItems = { files: plannedFile, corrections: importCorrection };

export const importPlanRequest = z
  .strictObject({
    files: plannedFiles.describe("The files of the folder."),
    catalogue: optional(importCatalogue).describe("A file that describes the books."),
    corrections: optional(importCorrections).describe(
      "What is decided otherwise than by the rules. A plan without them has what they are about.",
    ),
    rules: optional(importRules).describe("What holds for all files, as options of `bookdist import`."),
  })
  .meta({
    id: "ImportPlanRequest",
    description: "A folder of files, by paths and hashes.",
    example: { files: [{ path: "es/the-deep-well.epub", sha256: sha256Example }] },
  });
export type ImportPlanRequest = z.output<typeof importPlanRequest>;

export const importPlanEnvelope = importPlanRequest.extend(uncheckedLists);

const bookStatus = z.enum(["create", "update", "unchanged", "unsure"]);
const fileStatus = z.enum(["create", "replace", "differs", "unchanged", "known"]);

/** What files are left out for, with the values that a sentence about it needs. */
export const LEFT_OUT_CODES = [
  "about_the_collection",
  "book_gone",
  "book_not_imported",
  "books_inside",
  "catalogue",
  "content_unfit",
  "content_unknown",
  "correction_unfit",
  "cover_of_no_book",
  "cover_unusable",
  "format_taken",
  "hidden",
  "language_unknown",
  "left_out",
  "name_taken",
  "not_in_catalogue",
  "other_type",
] as const;
export type LeftOutCode = (typeof LEFT_OUT_CODES)[number];

export const leftOutFile = z
  .object({
    path: z.string().describe("Path, as in the request, or the place in the catalogue."),
    reason: z.string().describe("Why it is left out, as a sentence."),
    code: z
      .enum(LEFT_OUT_CODES)
      .optional()
      .describe(
        "The same as a stable code; absent for reasons that are only a sentence. Later versions may add some: for an unknown code, show `reason`.",
      ),
    by: z
      .string()
      .optional()
      .describe("With `name_taken` and `format_taken`: the path of the file that is imported in its place."),
  })
  .meta({
    id: "LeftOutFile",
    description: "What an import would leave out, and why.",
    example: {
      path: "readme.txt",
      reason: "It is a text about the collection.",
      code: "about_the_collection",
    },
  });

/** Of a book of a plan, and of what has failed of an import. Others are those of field errors and, of imports, of problems. */
export const PLANNED_ERROR_CODES = [
  "unsure",
  "language_missing",
  "language_unknown",
  "file_missing",
  "title_missing",
  "cell_error",
  "column_unnamed",
  "more_errors",
  "not_written",
] as const;

export const plannedError = z
  .object({
    code: z
      .string()
      .describe(
        "Stable code: `unsure`, `language_missing`, `language_unknown`, `file_missing`, `title_missing`, `cell_error`, `column_unnamed`, `more_errors`, or that of a field error; of an import that has run also `not_written`, or that of a problem. Later versions may add some: for an unknown code, show `message`.",
      ),
    message: z.string().describe("The same as a sentence."),
    line: count.optional().describe("The line of the spreadsheet; the header is line 1."),
    column: z.string().optional().describe("The header of the column."),
    value: z.string().optional().describe("What the cell has."),
    path: z.string().optional().describe("The value or the file that it is about, if it isn't a cell."),
    languageCode: z.string().optional().describe("With `language_missing`: BCP 47 code of the language."),
    bookId: z.string().optional().describe("With `unsure`: the book that it could be."),
  })
  .meta({
    id: "PlannedError",
    description: "Why a book can't be imported as it is.",
    example: {
      code: "invalid_language_code",
      message: "Must be the BCP 47 code of a language.",
      line: 4,
      column: "language",
      value: "Turkisch",
    },
  });
export type PlannedError = z.infer<typeof plannedError>;

export const knownElsewhere = z
  .object(knownPlace)
  .or(z.object({ path: z.string().describe("Path of the file that is planned, as in the request.") }));

export const plannedRemark = remark.extend({ message: z.string().describe("The same as a sentence.") }).meta({
  id: "PlannedRemark",
  description: "What is worth knowing of a file of a plan, and refuses nothing.",
  example: {
    code: "language_differs",
    found: "ru",
    expected: "ar",
    message: "It says that its language is ru; that of its place is ar.",
  },
});

export const keptTexts = z
  .array(
    z.object({
      languageCode: z
        .string()
        .nullable()
        .describe("BCP 47 code of the edition; null for the fields of the book itself."),
      fields: z.array(z.string()).describe("Names of the fields."),
    }),
  )
  .describe("Texts of a known book that are others in the files, and stay without the rule `overwrite`.");

const plannedBook = z
  .object({
    slug: z.string().describe("Slug of the book."),
    bookId: z.string().nullable().describe("Identifier of the book; null for a new one."),
    titleEn: z.string().describe("English title of the book after the import."),
    status: bookStatus.describe(
      "`create` for a new book, `update` for one that gets further texts, files or covers, and `unsure` for one that could be the book with `bookId`, or another one: `bookdist import` leaves it out unless `--same-book` is given; otherwise `unchanged`.",
    ),
    files: z
      .array(
        z.object({
          path: z.string().describe("Path, as in the request."),
          languageCode: z.string().describe("BCP 47 code of the language, which may not exist yet."),
          fileType: fileType.describe("Format of the file."),
          fileName: z.string().describe("Name of the file for readers."),
          title: z.string().nullable().describe("Title in this language; null if none is known."),
          status: fileStatus.describe(
            "`create` for a new file, `replace` for one that takes the place of another with the rule `overwrite` or a correction, `unchanged` if the book has the same bytes there, `differs` if it has other ones, which an import keeps unless a correction has `leaveOut: false`, and `known` if the service has the bytes at another place, or another file of the request has them: an import leaves it out unless a correction has `leaveOut: false`.",
          ),
          knownAs: z
            .array(knownElsewhere)
            .optional()
            .describe(
              "With `known`: the places of the same bytes in books, or the other file of the request.",
            ),
          remarks: z
            .array(plannedRemark)
            .describe("What is worth knowing of the file; a remark refuses nothing."),
        }),
      )
      .describe("The files of the book."),
    covers: z
      .array(
        z.object({
          path: z.string().describe("Path, as in the request."),
          languageCode: z
            .string()
            .nullable()
            .describe("BCP 47 code of the language; null for the default cover."),
        }),
      )
      .describe("The images that the import would upload as covers."),
    coversCount: count.describe("Number of covers that the import would put, with those inside of files."),
    titleIsBorrowed: z
      .boolean()
      .describe("Whether `titleEn` is the title in another language, because no English edition has one."),
    keptTexts,
    errors: z
      .array(plannedError)
      .describe(
        "Why the book can't be imported as it is, such as a language that doesn't exist yet, or a cell of its row in the catalogue.",
      ),
  })
  .meta({ id: "PlannedBook", description: "What an import would make of files." });

const plannedLanguage = z
  .object({
    code: z.string().describe("BCP 47 code."),
    name: z.string().describe("English name, of the catalogue or of CLDR."),
    nativeName: z.string().describe("Name in the language itself."),
    direction: direction.describe("Direction of the script."),
    parentCode: z.string().nullable().describe("BCP 47 code of the parent language; null for none."),
    customDomain: z.string().optional().describe("As the catalogue has it."),
    legacyDownloadCount: count.optional().describe("As the catalogue has it."),
    isActive: flag.optional().describe("As the catalogue has it."),
  })
  .meta({
    id: "PlannedLanguage",
    description: "A language that an import would create.",
    example: { code: "es", name: "Spanish", nativeName: "Español", direction: "ltr", parentCode: null },
  });

export const importPlan = z
  .object({
    books: z.array(plannedBook).describe("The books, by slug or in the order of the catalogue."),
    languages: z
      .array(plannedLanguage)
      .describe("The languages that don't exist yet, which the import would create; parents come first."),
    leftOut: z.array(leftOutFile).describe("What would not be imported."),
    notices: z
      .array(importNotice)
      .describe("What isn't read in the catalogue, such as other sheets of a workbook."),
  })
  .meta({
    id: "ImportPlan",
    description: "What an import would do.",
    example: {
      books: [
        {
          slug: "the-deep-well",
          bookId: null,
          titleEn: "The deep well",
          status: "create",
          files: [
            {
              path: "es/the-deep-well.epub",
              languageCode: "es",
              fileType: "epub",
              fileName: "the-deep-well.epub",
              title: "El pozo profundo",
              status: "create",
              remarks: [],
            },
          ],
          covers: [{ path: "es/the-deep-well.jpg", languageCode: "es" }],
          coversCount: 1,
          titleIsBorrowed: false,
          keptTexts: [],
          errors: [],
        },
      ],
      languages: [],
      leftOut: [
        { path: "readme.txt", reason: "It is a text about the collection.", code: "about_the_collection" },
      ],
      notices: [],
    },
  });
export type ImportPlan = z.infer<typeof importPlan>;
