/** Remarks on files and covers: what they say of themselves, where it isn't what their place says. Nothing is refused. */
import { z } from "zod";
import { uuid } from "./atoms.ts";

export const REMARK_CODES = [
  "language_differs",
  "title_differs",
  "isbn_differs",
  "known_elsewhere",
  "metadata_unreadable",
  "cover_missing",
  "metadata_pending",
] as const;

export const remark = z
  .object({
    code: z
      .enum(REMARK_CODES)
      .describe(
        "`language_differs`, `title_differs`, `isbn_differs`: the file says another language, title or ISBN than its place; where that has no ISBN, one of another book. `known_elsewhere`: the same bytes are in another place. `metadata_unreadable`: what the file says of itself can't be read. `cover_missing`: the file names a cover that it doesn't contain. `metadata_pending`: it isn't read yet; a later `GET …/files` has the remarks.",
      ),
    found: z.string().nullable().describe("What the file says; null if there is nothing to compare."),
    expected: z.string().nullable().describe("What its place says; null if there is nothing to compare."),
    bookId: uuid.optional().describe("With `known_elsewhere`: identifier of the other book."),
    languageCode: z.string().optional().describe("With `known_elsewhere`: BCP 47 code of the other place."),
  })
  .meta({
    id: "Remark",
    description: "What isn't as expected about a file or a cover. Later versions may add codes.",
    example: { code: "language_differs", found: "ru", expected: "ar" },
  });
export type Remark = z.infer<typeof remark>;

export const remarks = z
  .array(remark)
  .optional()
  .describe(
    "What isn't as expected about it, empty if nothing; in responses that create or replace it, and in the list of a book's files.",
  );
