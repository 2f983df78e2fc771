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
    description: `Either \`bookIds\`, each active book once, in the new order: their \`sortOrder\` counts from 1 then, and archived books keep theirs. Or \`moves\`: the books that are named get the \`sortOrder\` that is given, archived ones too. At most ${MAX_ORDERED_BOOKS} books; all places change or none. Books with the same \`sortOrder\` follow each other by id. \`updatedAt\` stays: a book that makes room for another hasn't been changed.`,
    access: sessionOrKey("edit_books"),
    body: jsonBody(bookOrder),
    answers: { 200: json("The books that were named, with their places now", bookOrderUpdated) },
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
      "Archives the book: readers don't find it any more, and nothing of it is lost. A book that is archived already stays as it is. With `permanent=true` the book, archived or not, is removed for good with its translations, files, covers, publications and visibility overrides, and with the bytes that nothing else refers to; download events stay, with their titles. `preview=delete` of the book's details tells what would go.",
    access: sessionOrKey("edit_books"),
    params: bookParams,
    query: bookDeletionQuery,
    answers: { 200: json("The archived book, or only the success of its removal", bookDeleted) },
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
      "If the book has no active file at all, in no language, of each language and format the file that was added last becomes active; `reactivatedFiles` tells how many. If any file is active, the files stay as they are. A book that isn't archived: 409 `book_not_archived`.",
    access: sessionOrKey("edit_books"),
    params: bookParams,
    answers: { 200: json("The book is active again", bookRestored) },
    problems: [404, 409],
    handle: async ({ params, actor }, { bookLifecycle }) =>
      ok(await bookLifecycle.restore(actor.author, params.bookId)),
  }),
];
