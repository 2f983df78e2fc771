/** The life of a book: its archive, its return, its end, and its place among the others. */
import { z } from "zod";
import { booleanParameter, count, int32, optional, recordId, success, uuid } from "./atoms.ts";
import { book, bookExample, bookUpdated } from "./books.schemas.ts";
import { exactlyOneOf } from "./exactly-one.ts";

export const bookDeletionQuery = z.strictObject({
  permanent: booleanParameter
    .default(false)
    .meta({ description: "Remove the book for good, in place of archiving it." }),
});

const archivedExample = {
  ...bookExample,
  ...{ isActive: 0, updatedAt: "2026-04-01T12:00:00.000Z" },
  ...{ archivedAt: "2026-04-01T12:00:00.000Z", archivedBy: "Sara" },
};

/** The book as long as there is one. */
export const bookDeleted = bookUpdated.or(success).meta({
  id: "BookDeleted",
  description: "The archived book, or only `success` after a permanent deletion.",
  examples: [{ success: true, book: archivedExample }],
});

export const bookRestored = success
  .extend({
    book: book.pick({ id: true, slug: true, isActive: true }).describe("The book, active again."),
    reactivatedFiles: count.describe(
      "Number of files that became active again; 0 when the book still had an active file.",
    ),
  })
  .meta({
    id: "BookRestored",
    description: "The restored book, and what became active with it.",
    examples: [
      {
        success: true,
        book: { id: "01a1fb60-1a34-772b-a309-dba157e20a81", slug: "the-deep-well", isActive: 1 },
        reactivatedFiles: 2,
      },
    ],
  });
export type BookRestored = z.infer<typeof bookRestored>;

/** As many as a body holds. */
export const MAX_ORDERED_BOOKS = 10_000;

const bookMove = z.strictObject({
  bookId: recordId.describe("Identifier of the book to move."),
  sortOrder: int32.describe("New position; lower numbers come first."),
});

export const bookOrder = z
  .strictObject({
    bookIds: optional(z.array(recordId).max(MAX_ORDERED_BOOKS)).describe(
      "All active books, each once, in the new order.",
    ),
    moves: optional(z.array(bookMove).min(1).max(MAX_ORDERED_BOOKS)).describe(
      "Single books with their new positions.",
    ),
  })
  .refine(...exactlyOneOf("bookIds", "moves"))
  .meta({
    id: "BookOrder",
    exactlyOneOf: ["bookIds", "moves"],
    description: "A new order of books: exactly one of `bookIds` and `moves`.",
    examples: [{ moves: [{ bookId: "01a1fb60-1a34-772b-a309-dba157e20a81", sortOrder: 3 }] }],
  });
export type BookOrder = z.output<typeof bookOrder>;

export const bookPlace = z
  .object({
    id: uuid.describe("Identifier of the book."),
    sortOrder: z.int().describe("Position; lower numbers come first."),
  })
  .meta({
    id: "BookPlace",
    description: "A book and its position.",
    examples: [{ id: "01a1fb60-1a34-772b-a309-dba157e20a81", sortOrder: 3 }],
  });
export type BookPlace = z.infer<typeof bookPlace>;

export const bookOrderUpdated = success.extend({
  books: z.array(bookPlace).describe("Books of the request, with their new positions."),
});
