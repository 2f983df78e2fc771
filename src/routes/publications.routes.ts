/** Publications of books on channels. */
import { session } from "../http/access.ts";
import { csvContent, json, ok, okCsv } from "../http/answers.ts";
import { jsonBody } from "../http/body.ts";
import { defineRoute, type Route } from "../http/define-route.ts";
import {
  matrixExportQuery,
  matrixQuery,
  publicationGaps,
  publicationMatrix,
  publicationToggle,
  publicationToggled,
} from "../schemas/publications.schemas.ts";

const tag = "Channels";

const MATRIX_EXAMPLE =
  "bookId,bookSlug,titleEn,sortOrder,childrens-site\r\n" +
  "01a1fb60-1a34-772b-a309-dba157e20a81,the-deep-well,The Deep Well,1,true\r\n";

export const publicationsRoutes: readonly Route[] = [
  defineRoute({
    id: "getPublicationMatrix",
    method: "get",
    path: "/api/admin/channels/matrix",
    tag,
    summary: "Get which books are published on which channels in a language",
    description:
      "`languageId` or `languageCode` names the language. All channels in their order, inactive ones too, and all active " +
      "books in theirs. `publications` says for each channel's id what the public list with that channel goes by; whether " +
      "a reader gets a file there, `GET /api/admin/channels/gaps` tells. A sub-language inherits the publications of its " +
      "parent: they count as its own, and `inherited` (in sub-languages only) names the channels on which it has the book " +
      "through its parent.",
    access: session("view_channels"),
    query: matrixQuery,
    answers: { 200: json("The matrix", publicationMatrix) },
    handle: async ({ query }, { publications }) => ok(await publications.matrix(query)),
  }),
  defineRoute({
    id: "exportPublicationMatrix",
    method: "get",
    path: "/api/admin/channels/matrix/export",
    tag,
    summary: "Export the publication matrix of a language as CSV",
    description:
      "A row for each book and, behind its id, slug, title and place, a column for each channel by its slug: `true` or " +
      "`false`.",
    access: session("view_channels"),
    query: matrixExportQuery,
    answers: { 200: csvContent("The matrix", MATRIX_EXAMPLE) },
    handle: async ({ query }, { publications }) => okCsv(await publications.export(query)),
  }),
  defineRoute({
    id: "getPublicationGaps",
    method: "get",
    path: "/api/admin/channels/gaps",
    tag,
    summary: "Get where the publications of a language have gaps",
    description:
      "`languageId` or `languageCode` names the language; it is looked at as if it were active. Only active books and " +
      "active channels count, with what a sub-language inherits, and without the books that it hides.\n\n" +
      "- `notOnAnyChannel`: books that have a file in the language and are on no channel\n" +
      "- `withoutFile`: books that are on channels (their slugs) and have no file in the language, so that nobody finds them\n" +
      "- `coverage`: for each channel how many books readers find there (`published`), out of all that have a file in the " +
      "language (`publishable`), and that in `percent`, rounded down to one decimal; null when there is no such book",
    access: session("view_channels"),
    query: matrixQuery,
    answers: { 200: json("The gaps", publicationGaps) },
    handle: async ({ query }, { publications }) => ok(await publications.gaps(query)),
  }),
  defineRoute({
    id: "togglePublication",
    method: "post",
    path: "/api/admin/channels/publications/toggle",
    tag,
    summary: "Publish a book on a channel in a language, or take it off",
    description:
      "With `isPublished` it is set, without it it is switched over; the answer says what it is now. What a sub-language " +
      "inherits from its parent can't be taken off in it (409 `publication_inherited`), and an archived book stays as it is " +
      "(409 `book_archived`).",
    access: session("edit_channels"),
    body: jsonBody(publicationToggle),
    answers: { 200: json("Whether the book is published there now", publicationToggled) },
    problems: [409],
    handle: async ({ body, actor }, { publications }) =>
      ok({ success: true, isPublished: await publications.toggle(actor.author, body) }),
  }),
];
