/** What somebody decides otherwise than an import by its rules. */
import { z } from "zod";
import { booleanField, filePath, languageCode, optional, rawText, recordId } from "./atoms.ts";
import { type FieldErrorCode, withCode } from "./error-codes.ts";
import { fileType } from "./files.schemas.ts";
import { title } from "./translations.schemas.ts";

/** In place of the identifier of a book: one that the service doesn't have. */
export const NEW_BOOK = "new";

/** Of a spreadsheet; more than any program has. */
const MAX_LINE = 10_000_000;

const MAX_CORRECTIONS = 20_000;

const OF_FILES = ["languageCode", "fileType", "title", "book", "leaveOut"] as const;

export const importCorrection = z
  .strictObject({
    path: optional(filePath).describe("Path of the file that it is about, as in `files`."),
    line: optional(z.int().min(1).max(MAX_LINE)).describe(
      "In place of `path`, with `column` and `value`: the line of the catalogue, a spreadsheet. The header is line 1: there, `value` is the name of a column that isn't known.",
    ),
    column: optional(rawText({ max: 100 }).min(1)).describe(
      "The header of the column, as the spreadsheet has it.",
    ),
    value: optional(rawText({ max: 10_000 })).describe("The new text of the cell."),
    languageCode: optional(languageCode).describe("BCP 47 code of the language of the file."),
    fileType: optional(fileType).describe("Format of the file."),
    title: optional(title).describe(
      "Title of the book in the language of the file, also in place of the title that a known book has.",
    ),
    book: optional(z.literal(NEW_BOOK).or(recordId)).describe(
      "The book to which the file belongs: its identifier, or `new` for one that the service doesn't have.",
    ),
    leaveOut: optional(booleanField).describe(
      "`true`: the file isn't imported. `false`: it is, although the service or another file has its bytes, and it replaces the file that the book has in its place.",
    ),
  })
  .check(({ value: given, issues }) => {
    const reject = (path: string, code: FieldErrorCode, message: string) =>
      issues.push({ code: "custom", input: given, path: [path], message, params: withCode(code) });
    const isCell = given.path === undefined;
    for (const field of ["line", "column", "value"] as const)
      if ((given[field] === undefined) === isCell)
        reject(
          field,
          isCell ? "missing" : "invalid_value",
          isCell ? "is required without `path`" : "excludes `path`",
        );
    for (const field of OF_FILES)
      if (isCell && given[field] !== undefined) reject(field, "invalid_value", "requires `path`");
  })
  .meta({
    id: "ImportCorrection",
    description: "What is decided otherwise of a file, or the new text of a cell of the catalogue.",
    example: { path: "es/the-deep-well.epub", languageCode: "es-MX", title: "El pozo profundo" },
  });
export type ImportCorrection = z.output<typeof importCorrection>;

/** A correction for each file, and for several cells of a row. */
export const importCorrections = z.array(importCorrection).max(MAX_CORRECTIONS);

/** The items are validated one by one: ten thousand would hold the event loop. */
export const uncheckedCorrections = z.array(z.unknown()).max(MAX_CORRECTIONS);
