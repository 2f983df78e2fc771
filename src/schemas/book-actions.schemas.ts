/** Actions on many books. */
import { z } from "zod";
import { booleanField, flag, languageCode, optional, recordId } from "./atoms.ts";
import { bookCredits, MAX_TAGS, seriesGiven, tagGiven } from "./credits.schemas.ts";
import { errorCode, fieldErrorCode } from "./problem.schemas.ts";

export const MAX_ACTION_BOOKS = 1000;

const tags = z.array(tagGiven).min(1).max(MAX_TAGS);
const place = {
  channelId: recordId.describe("Identifier of the channel."),
  languageCode: languageCode.describe("BCP 47 code of the language."),
};

const typed = <T extends string>(type: T) => z.literal(type).describe("The kind of action.");

export const bookAction = z.discriminatedUnion("type", [
  z.strictObject({ type: typed("archive") }),
  z.strictObject({ type: typed("restore") }),
  z.strictObject({ type: typed("addTags"), tags: tags.describe("Tags to add after the existing ones.") }),
  z.strictObject({ type: typed("removeTags"), tags: tags.describe("Tags to remove.") }),
  z.strictObject({
    type: typed("setSeries"),
    series: seriesGiven.nullable().describe("The series; `null` removes the books from theirs."),
  }),
  z.strictObject({ type: typed("publish"), ...place }),
  z.strictObject({ type: typed("unpublish"), ...place }),
]);
export type BookAction = z.output<typeof bookAction>;

export const bookActionRequest = z
  .strictObject({
    bookIds: z
      .array(recordId)
      .min(1)
      .max(MAX_ACTION_BOOKS)
      .describe("Identifiers of the books, each once; archived ones, too."),
    action: bookAction.describe("What to do with each book."),
    dryRun: optional(booleanField).describe("Whether to return the results without storing any change."),
  })
  .meta({
    id: "BookActionRequest",
    description: "Books, and what to do with each of them.",
    example: {
      bookIds: ["01a1fb60-1a34-772b-a309-dba157e20a81", "01a1fb60-1a34-772b-a309-dba157e20a85"],
      action: { type: "addTags", tags: ["folk tales"] },
    },
  });
export type BookActionRequest = z.output<typeof bookActionRequest>;

const before = z
  .object({
    tags: bookCredits.tags.optional(),
    series: bookCredits.series.optional(),
    isActive: flag.optional().describe("1 if the book was active, 0 if it was archived."),
    isPublished: z.boolean().optional().describe("Whether the book was published there."),
  })
  .describe("What the action changed, as it was before. Absent unless the book is changed.");

const bookActionResult = z
  .object({
    bookId: z.string().describe("Identifier of the book, as in the request."),
    status: z
      .enum(["changed", "unchanged", "failed"])
      .describe("`unchanged`: the book was in the requested state already. `failed`: `error` is the reason."),
    before: before.optional(),
    version: z
      .string()
      .optional()
      .describe(
        "Version of the book after the action: to undo it without overwriting later changes, send it in quotes as `If-Match`. Absent unless tags or series are changed, and in a dry run.",
      ),
    error: z
      .string()
      .optional()
      .describe("Why the book can't be changed. Absent unless `status` is `failed`."),
    code: z
      .union([errorCode, fieldErrorCode])
      .optional()
      .describe("The same as a stable code. For an unknown code, show `error`."),
  })
  .meta({ id: "BookActionResult", description: "The result for one book." });
export type BookActionResult = z.infer<typeof bookActionResult>;

export const bookActionResponse = z
  .object({
    results: z.array(bookActionResult).describe("One result for each book, in the order of the request."),
  })
  .meta({
    id: "BookActionResponse",
    description: "The results of an action on many books.",
    example: {
      results: [
        {
          bookId: "01a1fb60-1a34-772b-a309-dba157e20a81",
          status: "changed",
          before: { tags: [] },
          version: "q2Xo1mD8Zb0sVw4tKfHc3g",
        },
        {
          bookId: "01a1fb60-1a34-772b-a309-dba157e20a85",
          status: "failed",
          error: "Book not found.",
          code: "book_not_found",
        },
      ],
    },
  });
