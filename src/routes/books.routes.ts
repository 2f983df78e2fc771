/** Books. */
import { session, sessionOrKey } from "../http/access.ts";
import { jsonBody } from "../http/requests/body.ts";
import {
  confirmDeletion,
  content,
  created,
  csvContent,
  empty,
  json,
  ok,
  okCsv,
  okImage,
  versioned,
  withVersion,
} from "../http/responses/responses.ts";
import { defineRoute } from "../http/route.ts";
import { bookActionRequest, bookActionResponse, MAX_ACTION_BOOKS } from "../schemas/book-actions.schemas.ts";
import { bookLinks, bookLinksQuery, bookQrQuery, QR_TYPES } from "../schemas/book-links.schemas.ts";
import { BOOK_COLUMNS, bookExportQuery, bookList, bookListQuery } from "../schemas/book-list.schemas.ts";
import {
  bookOrder,
  bookOrderUpdated,
  MAX_MOVES_AFTER,
  MAX_ORDERED_BOOKS,
} from "../schemas/book-order.schemas.ts";
import { bookPreview, bookPreviewQuery } from "../schemas/book-preview.schemas.ts";
import {
  book,
  bookCreation,
  bookDeleted,
  bookDeletionQuery,
  bookDetails,
  bookDetailsQuery,
  bookParams,
  bookRestored,
  bookUpdate,
  bookUpdated,
  deletionImpact,
} from "../schemas/books.schemas.ts";
import {
  bulkEnvelope,
  bulkQuery,
  bulkRequest,
  bulkResponse,
  MAX_BULK_BYTES,
  MAX_BULK_ITEMS,
} from "../schemas/bulk.schemas.ts";

const BULK = `Creates books whose slug is new and updates the others. Accepts up to ${MAX_BULK_ITEMS} items in a body of up to 4 MiB (${MAX_BULK_BYTES} bytes). Books are matched by \`slug\`; if it is omitted, it is derived from the title, without a number.

Each item is written completely or not at all. For an item that can't be written, \`status\` is \`failed\`, \`error\` is the reason in one sentence, and \`errors\` lists its invalid values: up to 100 for each item and 10,000 for the response, after which only the first of each item is listed. If two items have the same slug, the second one fails. The whole request is rejected if \`books\` is missing, empty or too long, or if the body has unknown fields.

In an existing book, only the fields in the request change; \`null\` clears what can be empty, and is invalid for \`sortOrder\` and \`legacyDownloadCount\`. In a new book, \`null\` is the same as leaving the field out. Translations are matched by language, files by language and type. A new link replaces the URL of a linked file, which keeps its id and download count. If the existing file is an upload, the link is added and becomes the active file. Nothing is deleted. Archived books are updated and stay archived.

\`translationsUpserted\` and \`filesUpserted\` count what was written; values that are already stored aren't written again. The request is idempotent: repeat it after a 5xx response.

\`dryRun=true\` returns the same response without storing any change; a book that would be created has an empty \`bookId\`.`;

const CSV_EXAMPLE = `${BOOK_COLUMNS.join(",")}\r
01a1fb60-1a34-772b-a309-dba157e20a81,the-deep-well,The Deep Well,1,1,2026-03-01T12:00:00.000Z,2026-03-01T12:00:00.000Z,Ana Núñez,folk tales,Tales of the Village,2,2,3,ar; es,120,es,epub; pdf,true\r
`;

export const booksRoutes = [
  defineRoute({
    id: "listBooks",
    method: "get",
    path: "/api/admin/books",
    summary: "List all books",
    description:
      "Returns active and archived books unless `status` says otherwise, ordered by `sort`. Filters are combined with AND.",
    access: sessionOrKey("view_books"),
    query: bookListQuery,
    responses: { 200: json("One page of books", bookList) },
    isCompressed: true,
    handle: async ({ query }, services) => ok(await services.bookList.list(query)),
  }),
  defineRoute({
    id: "exportBooks",
    method: "get",
    path: "/api/admin/books/export",
    summary: "Export the list of books as CSV",
    description:
      "Returns all books that match the filters of the list, in its order. Values of a list in a cell are separated by semicolons. Times are in UTC, or in `timezone` with its offset. With `missing`, it is a list of what is still to be done in a language, and its name says so. Books that are deleted while the file is sent are left out.",
    access: sessionOrKey("view_books"),
    query: bookExportQuery,
    responses: { 200: csvContent("The books", CSV_EXAMPLE) },
    handle: async ({ query }, { bookList }) => okCsv(await bookList.export(query)),
  }),
  defineRoute({
    id: "createBook",
    method: "post",
    path: "/api/admin/books",
    summary: "Create a book",
    description:
      "If `slug` is omitted, derives it from `titleEn` and appends a number if another book has it. New books are placed last.",
    access: sessionOrKey("edit_books"),
    body: jsonBody(bookCreation),
    responses: { 201: versioned("The book", book) },
    problems: [409],
    handle: async ({ body, actor }, { books }) => {
      const added = await books.create(actor.author, body);
      return withVersion(created("/api/admin/books", added), added);
    },
  }),
  defineRoute({
    id: "getBook",
    method: "get",
    path: "/api/admin/books/{bookId}",
    databaseLimit: "record",
    summary: "Get a book with all that belongs to it",
    description: "With `preview=delete`, returns what a permanent deletion would remove instead of the book.",
    access: sessionOrKey("view_books"),
    params: bookParams,
    query: bookDetailsQuery,
    responses: { 200: versioned("The book, or the impact of its deletion", bookDetails.or(deletionImpact)) },
    handle: async ({ params: { bookId }, query }, { books, bookLifecycle }) => {
      if (query.preview === "delete") return ok(await bookLifecycle.countDeletionImpact(bookId));
      const details = await books.readDetails(bookId);
      return withVersion(ok(details), details.book);
    },
  }),
  defineRoute({
    id: "getDeletionImpact",
    method: "get",
    path: "/api/admin/books/{bookId}/deletion-impact",
    summary: "Get what a permanent deletion of a book would remove",
    description: "The same as `GET /api/admin/books/{bookId}?preview=delete`.",
    access: sessionOrKey("view_books"),
    params: bookParams,
    responses: { 200: json("The impact of the deletion", deletionImpact) },
    handle: async ({ params }, { bookLifecycle }) =>
      ok(await bookLifecycle.countDeletionImpact(params.bookId)),
  }),
  defineRoute({
    id: "previewBook",
    method: "get",
    path: "/api/admin/books/{bookId}/preview",
    databaseLimit: "record",
    summary: "Get a book as readers of a language get it",
    description:
      "Returns the book as the public list has it, or the reasons why readers don't find it. Returns 404 for an unknown language.",
    access: sessionOrKey("view_books"),
    params: bookParams,
    query: bookPreviewQuery,
    responses: { 200: json("The book, or the reasons", bookPreview) },
    handle: async ({ params, query }, services) =>
      ok(await services.bookPreview.preview(params.bookId, query.languageCode)),
  }),
  defineRoute({
    id: "updateBook",
    patchId: "patchBook",
    method: "put",
    path: "/api/admin/books/{bookId}",
    summary: "Update a book",
    description: "Changes only the fields in the request. Changing the title doesn't change the slug.",
    access: sessionOrKey("edit_books"),
    params: bookParams,
    body: jsonBody(bookUpdate),
    responses: { 200: versioned("The updated book", bookUpdated) },
    takesIfMatch: true,
    problems: [409],
    handle: async ({ params, body, actor, expected }, { books }) => {
      const updated = await books.update(actor.author, params.bookId, body, expected);
      return withVersion(ok({ success: true, book: updated }), updated);
    },
  }),
  defineRoute({
    id: "reorderBooks",
    method: "patch",
    path: "/api/admin/books/reorder",
    summary: "Reorder books",
    description: `Send exactly one of \`bookIds\` and \`moves\`. \`bookIds\` lists every active book once, in the new order; their \`sortOrder\` is renumbered from 1, and archived books keep theirs. \`moves\` sets the \`sortOrder\` of individual books, including archived ones, or places up to ${MAX_MOVES_AFTER} active books \`after\` others, in the order of the request; then, others can get new positions too, where there is no room. Up to ${MAX_ORDERED_BOOKS} books; either all positions change or none do. Books with the same \`sortOrder\` are ordered by id. \`updatedAt\` doesn't change.`,
    access: sessionOrKey("edit_books"),
    body: jsonBody(bookOrder),
    responses: { 200: json("The books in the request, with their new positions", bookOrderUpdated) },
    handle: async ({ body, actor }, { bookOrder: order }) =>
      ok({ success: true, books: await order.reorder(actor.author, body) }),
  }),
  defineRoute({
    id: "deleteBook",
    method: "delete",
    path: "/api/admin/books/{bookId}",
    summary: "Archive or permanently delete a book",
    description:
      "Archives the book: readers can no longer find it, and all its data is kept. Archiving an archived book changes nothing. With `permanent=true`, permanently deletes the book with its translations, files, covers, publications and visibility overrides. Download events are kept, with the book's title. To see what a permanent deletion would remove, call `GET /api/admin/books/{bookId}?preview=delete`.",
    access: sessionOrKey("edit_books"),
    params: bookParams,
    query: bookDeletionQuery,
    takesIfMatch: true,
    responses: {
      200: versioned("The archived book, or only `success` after a permanent deletion", bookDeleted),
    },
    handle: async ({ params: { bookId }, query, actor: { author }, expected }, { bookLifecycle }) => {
      if (query.permanent) return confirmDeletion(bookLifecycle.remove(author, bookId, expected));
      const archived = await bookLifecycle.archive(author, bookId, expected);
      return withVersion(ok({ success: true, book: archived }), archived);
    },
  }),
  defineRoute({
    id: "listBookLinks",
    method: "get",
    path: "/api/admin/books/{bookId}/links",
    summary: "List the links to a book",
    description:
      "Returns the addresses under which readers find the book, for each language in which it is published, and for each active channel with its campaign. A book that isn't due yet has those that it will have. The address is that of the channel's `bookUrl`, of `PUBLIC_BOOK_URL`, of the library, or of `PUBLIC_SITE_URL`; without any, returns 409 `no_public_site`.",
    access: sessionOrKey("view_books"),
    params: bookParams,
    query: bookLinksQuery,
    responses: { 200: json("The links", bookLinks) },
    problems: [409],
    handle: async ({ params, query }, { bookLinks: links }) => ok(await links.list(params.bookId, query)),
  }),
  defineRoute({
    id: "getBookQr",
    method: "get",
    path: "/api/admin/books/{bookId}/qr",
    summary: "Get the QR code of a link",
    description:
      "Draws the address of a link as a QR code with its margin. Returns 404 `not_published` if readers don't find the book there, and 409 if the link has no address (`no_public_site`) or one of more bytes than a code has room for (`address_too_long`).",
    access: sessionOrKey("view_books"),
    params: bookParams,
    query: bookQrQuery,
    responses: {
      200: content("The image", ...QR_TYPES),
      304: empty("The client has this version of the image"),
    },
    problems: [409, 412],
    handle: async ({ params, query }, { bookLinks: links }) =>
      okImage(await links.drawCode(params.bookId, query)),
  }),
  defineRoute({
    id: "restoreBook",
    method: "post",
    path: "/api/admin/books/{bookId}/restore",
    summary: "Restore an archived book",
    description:
      "If the book has no active file in any language, the newest file of each language and format becomes active; `reactivatedFiles` is their number. Otherwise the files don't change. Returns 409 `book_not_archived` if the book isn't archived.",
    access: sessionOrKey("edit_books"),
    params: bookParams,
    responses: { 200: versioned("The restored book", bookRestored) },
    problems: [409],
    handle: async ({ params, actor }, { bookLifecycle }) => {
      const restored = await bookLifecycle.restore(actor.author, params.bookId);
      return withVersion(ok(restored), restored.book);
    },
  }),
  defineRoute({
    id: "runBookAction",
    method: "post",
    path: "/api/admin/books/actions",
    databaseLimit: "batches",
    summary: "Change many books in the same way",
    description: `Archives, restores, tags, assigns to a series, publishes or unpublishes up to ${MAX_ACTION_BOOKS} books. Each book is changed completely or not at all, with its own result and its own entry in the audit log; \`before\` is what an undo needs. Tags that differ only in case and accents are the same. \`restore\` doesn't change files: after \`archive\` and \`restore\`, the same files are active as before. \`publish\` and \`unpublish\` require a session with the permission \`edit_channels\`, too. \`dryRun\` returns the same results without storing any change.`,
    access: sessionOrKey("edit_books"),
    body: jsonBody(bookActionRequest, { maxBytes: MAX_BULK_BYTES }),
    responses: { 200: json("The result of each book", bookActionResponse) },
    handle: async ({ body, actor }, { bookActions }) => {
      if ("channelId" in body.action) session("edit_channels").admit(actor);
      return ok(await bookActions.run(actor.author, body));
    },
  }),
  defineRoute({
    id: "bulkUpsertBooks",
    method: "post",
    path: "/api/admin/books/bulk",
    databaseLimit: "batches",
    summary: "Create and update many books",
    description: BULK,
    access: sessionOrKey("edit_books"),
    query: bulkQuery,
    body: jsonBody(bulkEnvelope, { documented: bulkRequest, maxBytes: MAX_BULK_BYTES }),
    responses: { 200: json("The result of each item", bulkResponse) },
    handle: async ({ body, query, actor }, { bulkUpsert }) =>
      ok(await bulkUpsert.upsert(actor.author, body.books, { isDryRun: query.dryRun })),
  }),
];
