/** Books. */
import { sessionOrKey } from "../http/access.ts";
import { created, json, ok } from "../http/answers.ts";
import { jsonBody } from "../http/body.ts";
import { defineRoute, type Route } from "../http/define-route.ts";
import {
  book,
  bookCreation,
  bookDetails,
  bookDetailsQuery,
  bookList,
  bookListQuery,
  bookParams,
  bookUpdate,
  bookUpdated,
  deletionImpact,
} from "../schemas/books.schemas.ts";

const tag = "Books";

export const booksRoutes: readonly Route[] = [
  defineRoute({
    id: "listBooks",
    method: "get",
    path: "/api/admin/books",
    tag,
    summary: "List all books",
    description:
      "Returns active and archived books unless `status` says otherwise, ordered by `sortOrder`. Filters are combined with AND.",
    access: sessionOrKey("view_books"),
    query: bookListQuery,
    answers: { 200: json("A page of books, in their order", bookList) },
    handle: async ({ query }, { books }) => ok(await books.list(query)),
  }),
  defineRoute({
    id: "createBook",
    method: "post",
    path: "/api/admin/books",
    tag,
    summary: "Create a book",
    description: "Without a slug one is derived from the title. New books go last.",
    access: sessionOrKey("edit_books"),
    body: jsonBody(bookCreation),
    answers: { 201: json("The book", book) },
    problems: [409],
    handle: async ({ body, actor }, { books }) => {
      const added = await books.create(actor.author, body);
      return created(`/api/admin/books/${added.id}`, added);
    },
  }),
  defineRoute({
    id: "getBook",
    method: "get",
    path: "/api/admin/books/{bookId}",
    tag,
    summary: "Get a book with its translations and files",
    description:
      "With `preview=delete`: what a permanent deletion would take with it, in place of the book. `fileBytes` counts the bytes of files that become free: those that nothing else refers to. `downloadEvents` stay; they are those that delivered the book.",
    access: sessionOrKey("view_books"),
    params: bookParams,
    query: bookDetailsQuery,
    answers: { 200: json("The book, or the impact of its deletion", bookDetails.or(deletionImpact)) },
    problems: [404],
    handle: async ({ params: { bookId }, query }, { books, bookLifecycle }) =>
      ok(await (query.preview === "delete" ? bookLifecycle.deletionImpact(bookId) : books.details(bookId))),
  }),
  defineRoute({
    id: "updateBook",
    method: "put",
    path: "/api/admin/books/{bookId}",
    tag,
    summary: "Update a book",
    description: "Only the fields that are given change. The slug doesn't follow the title.",
    access: sessionOrKey("edit_books"),
    params: bookParams,
    body: jsonBody(bookUpdate),
    answers: { 200: json("The book as it is now", bookUpdated) },
    problems: [404, 409],
    handle: async ({ params, body, actor }, { books }) =>
      ok({ success: true, book: await books.update(actor.author, params.bookId, body) }),
  }),
];
