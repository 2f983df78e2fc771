/** The life of a book: its archive, its return, its end, and its place among the others. */
import { sessionOrKey } from "../http/access.ts";
import { json, ok } from "../http/answers.ts";
import { jsonBody } from "../http/body.ts";
import { defineRoute, type Route } from "../http/define-route.ts";
import {
  bookDeleted,
  bookDeletionQuery,
  bookOrder,
  bookOrderUpdated,
  bookRestored,
  MAX_ORDERED_BOOKS,
} from "../schemas/book-lifecycle.schemas.ts";
import { bookParams } from "../schemas/books.schemas.ts";

const tag = "Books";

export const bookLifecycleRoutes: readonly Route[] = [
  defineRoute({
    id: "reorderBooks",
    method: "patch",
    path: "/api/admin/books/reorder",
    tag,
    summary: "Reorder books",
    description: `Send exactly one of \`bookIds\` and \`moves\`. \`bookIds\` lists every active book once, in the new order; their \`sortOrder\` then counts from 1, and archived books keep theirs. \`moves\` sets the \`sortOrder\` of single books, archived ones too. Up to ${MAX_ORDERED_BOOKS} books; either all positions change or none. Books with the same \`sortOrder\` are ordered by id. \`updatedAt\` doesn't change.`,
    access: sessionOrKey("edit_books"),
    body: jsonBody(bookOrder),
    answers: { 200: json("The books of the request, with their new positions", bookOrderUpdated) },
    handle: async ({ body, actor }, { bookOrder: order }) =>
      ok({ success: true, books: await order.reorder(actor.author, body) }),
  }),
  defineRoute({
    id: "deleteBook",
    method: "delete",
    path: "/api/admin/books/{bookId}",
    tag,
    summary: "Archive or permanently delete a book",
    description:
      "Archives the book: readers no longer find it, and nothing is lost. Archiving an archived book changes nothing. With `permanent=true`, deletes the book for good, with its translations, files, covers, publications and visibility overrides. Download events stay, with the book's title. To see what a permanent deletion would remove, call `GET /api/admin/books/{bookId}?preview=delete`.",
    access: sessionOrKey("edit_books"),
    params: bookParams,
    query: bookDeletionQuery,
    answers: { 200: json("The archived book, or only `success` after a permanent deletion", bookDeleted) },
    problems: [404],
    handle: async ({ params: { bookId }, query, actor: { author } }, { bookLifecycle }) => {
      if (!query.permanent) return ok({ success: true, book: await bookLifecycle.archive(author, bookId) });
      await bookLifecycle.remove(author, bookId);
      return ok({ success: true });
    },
  }),
  defineRoute({
    id: "restoreBook",
    method: "post",
    path: "/api/admin/books/{bookId}/restore",
    tag,
    summary: "Restore an archived book",
    description:
      "If the book has no active file in any language, the newest file of each language and format becomes active; `reactivatedFiles` is their number. Otherwise the files stay as they are. A book that isn't archived returns 409 `book_not_archived`.",
    access: sessionOrKey("edit_books"),
    params: bookParams,
    answers: { 200: json("The restored book", bookRestored) },
    problems: [404, 409],
    handle: async ({ params, actor }, { bookLifecycle }) =>
      ok(await bookLifecycle.restore(actor.author, params.bookId)),
  }),
];
