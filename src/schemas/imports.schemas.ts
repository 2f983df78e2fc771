/** Plans of imports: which books a folder of files would become. */
import { z } from "zod";
import { filePath, optional } from "./atoms.ts";
import { rule } from "./error-codes.ts";
import { fileType, sha256, sha256Example } from "./files.schemas.ts";

export const MAX_PLANNED_FILES = 10_000;

export const MAX_PLAN_BYTES = 4 * 1024 * 1024;

const plannedFile = z.strictObject({
  path: filePath.describe("Path below the imported folder, with slashes, such as `es/the-deep-well.epub`."),
  sha256: sha256.describe("SHA-256 of the content, in lower-case hexadecimal digits."),
});
export type PlannedFile = z.output<typeof plannedFile>;

const isOnce = (files: readonly PlannedFile[]): boolean =>
  new Set(files.map(({ path }) => path)).size === files.length;

const catalogue = z.strictObject({
  name: filePath
    .regex(/\.(?:json|csv)$/i, "must end with .json or .csv")
    .describe("Path of the catalogue below the imported folder; its ending says which kind it is."),
  text: z.string().min(1).describe("The whole catalogue, a JSON or CSV file."),
});

export const importPlanRequest = z
  .strictObject({
    files: z
      .array(plannedFile)
      .min(1)
      .max(MAX_PLANNED_FILES)
      .refine(isOnce, rule("invalid_value", "must have each path once"))
      .describe("The files of the folder."),
    catalogue: optional(catalogue).describe("A file that describes the books."),
  })
  .meta({
    id: "ImportPlanRequest",
    description: "A folder of files, by paths and hashes.",
    example: { files: [{ path: "es/the-deep-well.epub", sha256: sha256Example }] },
  });
export type ImportPlanRequest = z.output<typeof importPlanRequest>;

const bookStatus = z.enum(["create", "update", "unchanged"]);
const fileStatus = z.enum(["create", "differs", "unchanged"]);

const plannedBook = z
  .object({
    slug: z.string().describe("Slug of the book."),
    titleEn: z.string().describe("English title of the book after the import."),
    status: bookStatus.describe(
      "`create` for a new book, `update` for one that gets further texts, files or covers, otherwise `unchanged`.",
    ),
    files: z
      .array(
        z.object({
          path: z.string().describe("Path, as in the request."),
          languageCode: z.string().describe("BCP 47 code of the language, which may not exist yet."),
          fileType: fileType.describe("Format of the file."),
          title: z.string().nullable().describe("Title in this language; null if none is known."),
          status: fileStatus.describe(
            "`create` for a new file, `unchanged` if the book has the same bytes there, and `differs` if it has other ones, which an import keeps.",
          ),
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
    errors: z
      .array(z.string())
      .describe("Why the book can't be imported as it is, such as a language that doesn't exist yet."),
  })
  .meta({ id: "PlannedBook", description: "What an import would make of files." });

export const importPlan = z
  .object({
    books: z.array(plannedBook).describe("The books, by slug or in the order of the catalogue."),
    leftOut: z
      .array(
        z.object({
          path: z.string().describe("Path, as in the request, or the place in the catalogue."),
          reason: z.string().describe("Why it is left out, as a sentence."),
        }),
      )
      .describe("What would not be imported."),
  })
  .meta({
    id: "ImportPlan",
    description: "What an import would do.",
    example: {
      books: [
        {
          slug: "the-deep-well",
          titleEn: "The deep well",
          status: "create",
          files: [
            {
              path: "es/the-deep-well.epub",
              languageCode: "es",
              fileType: "epub",
              title: "El pozo profundo",
              status: "create",
            },
          ],
          covers: [{ path: "es/the-deep-well.jpg", languageCode: "es" }],
          errors: [],
        },
      ],
      leftOut: [{ path: "readme.txt", reason: "It is a text about the collection." }],
    },
  });
export type ImportPlan = z.infer<typeof importPlan>;
