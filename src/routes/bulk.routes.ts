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

const description = `Creates the books whose slug is new and updates the others, at most ${MAX_BULK_ITEMS} at once, in a body of at most ${MAX_BULK_BYTES} bytes and at most 1048576 an item. Without a slug an item has that of its title, as it is made for a single book but without a number: it is the key.

Each item is written whole or not at all. One that can't be is \`failed\`: \`error\` says in a sentence why, \`errors\` names its faults (at most 100, and at most 10000 in an answer: then the first of each), its counts are 0 and its \`bookId\` is empty. The second item with a slug fails, whatever became of the first. The request as a whole is refused when \`books\` is missing, empty or too long, and for unknown fields beside it.

In a book that exists only what is given changes. Translations are matched by language, files by language and type. A link in the place of another changes it, and it keeps its id and its count; a link in the place of an uploaded file makes that inactive. Nothing is taken away. Archived books are updated too and stay archived.

\`translationsUpserted\` and \`filesUpserted\` count what was written: what is already as given isn't written again. So the same request can be sent once more at any time; after a 5xx, when a part of it may have been written, it should be.

With \`dryRun=true\` the answer is the same but nothing is kept, and a book that would be created has an empty \`bookId\`.`;

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
    answers: { 200: json("What became of each item", bulkAnswer) },
    handle: async ({ body, query, actor }, { bulkUpsert }) =>
      ok(await bulkUpsert.upsert(actor.author, body.books, { isDryRun: query.dryRun })),
  }),
];
