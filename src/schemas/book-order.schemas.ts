/** The order of books. */
import { z } from "zod";
import { exactlyOneOf, int32, optional, recordId, success, uuid } from "./atoms.ts";
import { withCode } from "./error-codes.ts";

/** As many as fit into a body. */
export const MAX_ORDERED_BOOKS = 10_000;

/** Each can move many others. */
export const MAX_MOVES_AFTER = 1000;

const bookMove = z
  .strictObject({
    bookId: recordId.describe("Identifier of the book to move."),
    sortOrder: optional(int32).describe("New position; lower numbers come first. Send this or `after`."),
    after: recordId
      .nullable()
      .optional()
      .describe(
        "Identifier of the active book after which the book is placed; `null`: before all others. Send this or `sortOrder`.",
      ),
  })
  .refine(...exactlyOneOf("sortOrder", "after"))
  .meta({
    id: "BookMove",
    exactlyOneOf: ["sortOrder", "after"],
    description: "A book, and where it is placed: exactly one of `sortOrder` and `after`.",
  });

/** All moves of a request are of one kind. */
const bookMoves = z
  .array(bookMove)
  .min(1)
  .max(MAX_ORDERED_BOOKS)
  .superRefine((moves, context) => {
    const after = moves.filter((move) => move.after !== undefined).length;
    if (after > 0 && after < moves.length)
      context.addIssue({
        code: "custom",
        message: "must all have sortOrder, or all have after",
        params: withCode("mixed_moves"),
      });
    if (after > MAX_MOVES_AFTER)
      context.addIssue({
        code: "custom",
        params: withCode("too_big"),
        message: `must have at most ${MAX_MOVES_AFTER} items with after`,
      });
  });

export const bookOrder = z
  .strictObject({
    bookIds: optional(z.array(recordId).max(MAX_ORDERED_BOOKS)).describe(
      "Identifiers of all active books, each once, in the new order.",
    ),
    moves: optional(bookMoves).describe("Individual books with their new positions or places."),
  })
  .refine(...exactlyOneOf("bookIds", "moves"))
  .meta({
    id: "BookOrder",
    exactlyOneOf: ["bookIds", "moves"],
    description: "A new order of books: exactly one of `bookIds` and `moves`.",
    example: { moves: [{ bookId: "01a1fb60-1a34-772b-a309-dba157e20a81", sortOrder: 3 }] },
  });
export type BookOrder = z.output<typeof bookOrder>;

export const bookPlace = z
  .object({
    id: uuid.describe("Identifier of the book."),
    sortOrder: z.int().describe("Position; lower numbers come first."),
    formerlyAfter: uuid
      .nullable()
      .optional()
      .describe(
        "Identifier of the active book after which it was before the request; null if it was the first. Only for moves with `after`: sent as `after`, it takes the move back.",
      ),
  })
  .meta({
    id: "BookPlace",
    description: "A book and its position.",
    example: {
      id: "01a1fb60-1a34-772b-a309-dba157e20a81",
      sortOrder: 3,
      formerlyAfter: "01a1fb60-1a34-772b-a309-dba157e20a82",
    },
  });
export type BookPlace = z.infer<typeof bookPlace>;

export const bookOrderUpdated = success.extend({
  books: z.array(bookPlace).describe("Books in the request, with their new positions."),
});
