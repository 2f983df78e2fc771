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
    summary: "Get the publication matrix of a language",
    description:
      "Returns all channels and all active books in their order, and for each book whether it is published on each channel. A sub-language inherits the publications of its parent, and `inherited` names the channels where that is so. Whether readers find a file there is in `GET /api/admin/channels/gaps`.",
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
      "Returns one row for each book: id, slug, title and position, then one column for each channel, named by its slug, with `true` or `false`.",
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
    summary: "Find gaps in the publications of a language",
    description:
      "Considers active books and channels only, with what a sub-language inherits and without the books that it hides. The language is treated as active.\n\n- `notOnAnyChannel`: books with a file in the language that no channel publishes\n- `withoutFile`: books that channels publish although they have no file in the language\n- `coverage`: for each channel, how many of the available books readers find there",
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
    summary: "Publish or unpublish a book on a channel",
    description:
      "With `isPublished`, sets the state; without it, reverses the state. A publication that a sub-language inherits from its parent can't be removed there (409 `publication_inherited`), and an archived book can't be changed (409 `book_archived`).",
    access: session("edit_channels"),
    body: jsonBody(publicationToggle),
    answers: { 200: json("The new state", publicationToggled) },
    problems: [409],
    handle: async ({ body, actor }, { publications }) =>
      ok({ success: true, isPublished: await publications.toggle(actor.author, body) }),
  }),
];
