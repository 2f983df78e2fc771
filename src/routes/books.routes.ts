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
    answers: { 200: json("One page of books", bookList) },
    handle: async ({ query }, { books }) => ok(await books.list(query)),
  }),
  defineRoute({
    id: "createBook",
    method: "post",
    path: "/api/admin/books",
    tag,
    summary: "Create a book",
    description:
      "Derives the slug from `titleEn` when it is left out, numbered if another book has it. New books go last.",
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
      "With `preview=delete`, returns what a permanent deletion would remove, in place of the book.",
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
    description: "Changes only the fields in the request. The slug doesn't follow the title.",
    access: sessionOrKey("edit_books"),
    params: bookParams,
    body: jsonBody(bookUpdate),
    answers: { 200: json("The updated book", bookUpdated) },
    problems: [404, 409],
    handle: async ({ params, body, actor }, { books }) =>
      ok({ success: true, book: await books.update(actor.author, params.bookId, body) }),
  }),
];
