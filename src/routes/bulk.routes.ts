/** Bulk upsert of books. */
import { sessionOrKey } from "../http/access.ts";
import { json, ok } from "../http/answers.ts";
import { longJsonBody } from "../http/body.ts";
import { defineRoute, type Route } from "../http/define-route.ts";
import {
  bulkAnswer,
  bulkEnvelope,
  bulkQuery,
  bulkRequest,
  MAX_BULK_BYTES,
  MAX_BULK_ITEMS,
} from "../schemas/bulk.schemas.ts";

const description = `Creates books whose slug is new and updates the others. Takes up to ${MAX_BULK_ITEMS} items in a body of up to ${MAX_BULK_BYTES} bytes, and 1,048,576 bytes for each item. Books are matched by \`slug\`; an item without one has the slug derived from its title, without a number.

Each item is written whole or not at all. For an item that can't be written, \`status\` is \`failed\`, \`error\` says why in one sentence, and \`errors\` lists its invalid values: up to 100 for each item and 10,000 for the response, after which only the first of each item is listed. The second item with the same slug fails. The request as a whole is rejected when \`books\` is missing, empty or too long, and for unknown fields beside it.

In an existing book only the given fields change. Translations are matched by language, files by language and type. A new link replaces the address of a linked file, which keeps its id and download count; beside an uploaded file it becomes the active one. Nothing is deleted. Archived books are updated and stay archived.

\`translationsUpserted\` and \`filesUpserted\` count what was written; what is already as given isn't written again. The same request can therefore be sent again at any time, and should be after a 5xx response.

\`dryRun=true\` returns the same response and keeps nothing; a book that would be created has an empty \`bookId\`.`;

export const bulkRoutes: readonly Route[] = [
  defineRoute({
    id: "bulkUpsertBooks",
    method: "post",
    path: "/api/admin/books/bulk",
    tag: "Books",
    summary: "Create and update many books",
    description,
    access: sessionOrKey("edit_books"),
    query: bulkQuery,
    body: longJsonBody(bulkEnvelope, {
      documented: bulkRequest,
      maxBytes: MAX_BULK_BYTES,
      maxElements: MAX_BULK_ITEMS,
    }),
    answers: { 200: json("The result for each item", bulkAnswer) },
    handle: async ({ body, query, actor }, { bulkUpsert }) =>
      ok(await bulkUpsert.upsert(actor.author, body.books, { isDryRun: query.dryRun })),
  }),
];
