/** Channels. */
import { session } from "../http/access.ts";
import { jsonBody, jsonListsBody } from "../http/requests/body.ts";
import {
  confirmDeletion,
  created,
  csvContent,
  json,
  ok,
  okCsv,
  versioned,
  withVersion,
} from "../http/responses/responses.ts";
import { defineRoute } from "../http/route.ts";
import { success } from "../schemas/atoms.ts";
import { MAX_BULK_BYTES } from "../schemas/bulk.schemas.ts";
import {
  channel,
  channelCreation,
  channelList,
  channelParams,
  channelUpdate,
  channelUpdated,
  gapsQuery,
  matrixExportQuery,
  publicationGaps,
  publicationMatrix,
  publicationToggle,
  publicationToggled,
} from "../schemas/channels.schemas.ts";
import {
  MAX_PUBLICATION_CHANGES,
  publicationChange,
  publicationChanges,
  publicationChangesEnvelope,
  publicationsChanged,
} from "../schemas/publication-changes.schemas.ts";
import { matrixQuery, publicationGrid } from "../schemas/publication-grid.schemas.ts";

const MATRIX_EXAMPLE =
  "bookId,bookSlug,titleEn,sortOrder,childrens-site,bookAuthors,bookTags,bookSeries,bookSeriesPosition,bookContributors,bookPublisher,bookLicense,bookIsbn\r\n" +
  "01a1fb60-1a34-772b-a309-dba157e20a81,the-deep-well,The Deep Well,1,true,Ana Núñez,folk tales,Tales of the Village,2,Ben Okoro (translator),Village Press,CC-BY-4.0,9783161484100\r\n";

export const channelsRoutes = [
  defineRoute({
    id: "listChannels",
    method: "get",
    path: "/api/admin/channels",
    summary: "List channels",
    description: "Returns active and inactive channels, ordered by `sortOrder`.",
    access: session("view_channels"),
    responses: { 200: json("The channels", channelList) },
    handle: async (_, { channels }) => ok(await channels.list()),
  }),
  defineRoute({
    id: "createChannel",
    method: "post",
    path: "/api/admin/channels",
    summary: "Create a channel",
    description:
      "Derives the slug from the name and appends a number if another channel has it. The slug never changes, because the public book list is filtered by it. New channels are placed last.",
    access: session("edit_channels"),
    body: jsonBody(channelCreation),
    responses: { 201: versioned("The channel", channel) },
    handle: async ({ body, actor }, { channels }) => {
      const added = await channels.create(actor.author, body);
      return withVersion(created("/api/admin/channels", added), added);
    },
  }),
  defineRoute({
    id: "updateChannel",
    patchId: "patchChannel",
    method: "put",
    path: "/api/admin/channels/{channelId}",
    summary: "Update a channel",
    description:
      "Changes only the fields in the request. An inactive channel isn't available in public lists; its publications are kept.",
    access: session("edit_channels"),
    params: channelParams,
    body: jsonBody(channelUpdate),
    takesIfMatch: true,
    responses: { 200: versioned("The updated channel", channelUpdated) },
    handle: async ({ params, body, actor, expected }, { channels }) => {
      const updated = await channels.update(actor.author, params.channelId, body, expected);
      return withVersion(ok({ success: true, channel: updated }), updated);
    },
  }),
  defineRoute({
    id: "deleteChannel",
    method: "delete",
    path: "/api/admin/channels/{channelId}",
    summary: "Delete a channel",
    description:
      "Also deletes its publications in all languages. The books are kept. The channel that the library shows can't be deleted: 409 `channel_in_use`.",
    access: session("edit_channels"),
    params: channelParams,
    takesIfMatch: true,
    responses: { 200: json("Deleted", success) },
    problems: [409],
    handle: ({ params, actor, expected }, { channels }) =>
      confirmDeletion(channels.delete(actor.author, params.channelId, expected)),
  }),
  defineRoute({
    id: "getPublicationMatrix",
    method: "get",
    path: "/api/admin/channels/matrix",
    summary: "Get the publication matrix of a language",
    description:
      "Returns all channels and all active books in their order, and whether each book is published on each channel. A sub-language inherits the publications of its parent; `inherited` lists the channels where that is the case. To check whether readers find a file there, use `GET /api/admin/channels/gaps`.\n\n`fields=published` returns a page of the same in a tenth of the bytes: a string of `0` and `1` for each book, and whether it has a file. `page`, `limit` and `search` require it.",
    access: session("view_channels"),
    query: matrixQuery,
    responses: {
      200: json("The matrix, or a page of it as a grid", publicationMatrix.or(publicationGrid)),
    },
    isCompressed: true,
    handle: async ({ query }, { publications }) =>
      ok(query.fields ? await publications.readGrid(query) : await publications.readMatrix(query)),
  }),
  defineRoute({
    id: "exportPublicationMatrix",
    method: "get",
    path: "/api/admin/channels/matrix/export",
    summary: "Export the publication matrix of a language as CSV",
    description:
      "Returns one row for each book: id, slug, title and position; one column for each channel, named by its slug, with `true` or `false`; then the tags and series of the book, and the authors, contributors, publisher, license and ISBN of its edition in the language. Names in a list are separated by semicolons.",
    access: session("view_channels"),
    query: matrixExportQuery,
    responses: { 200: csvContent("The matrix", MATRIX_EXAMPLE) },
    handle: async ({ query }, { publications }) => okCsv(await publications.export(query)),
  }),
  defineRoute({
    id: "getPublicationGaps",
    method: "get",
    path: "/api/admin/channels/gaps",
    summary: "Find gaps in the publications of a language",
    description:
      "Considers only active books and channels. Includes the publications that a sub-language inherits, and excludes the books that it hides. The language is treated as active.\n\n- `notOnAnyChannel`: books with a file in the language that no channel publishes\n- `withoutFile`: books that channels publish although they have no file in the language\n- `coverage`: for each channel, the number of available books that readers find there",
    access: session("view_channels"),
    query: gapsQuery,
    responses: { 200: json("The gaps", publicationGaps) },
    isCompressed: true,
    handle: async ({ query }, { publications }) => ok(await publications.findGaps(query)),
  }),
  defineRoute({
    id: "togglePublication",
    method: "post",
    path: "/api/admin/channels/publications/toggle",
    summary: "Publish or unpublish a book on a channel",
    description:
      "Sets the state to `isPublished`, or reverses it if `isPublished` is omitted. Both concern the language itself: what a sub-language publishes stays when its parent's publication goes, and if it publishes the book itself, the state is reversed to that of its parent, which the response says. A publication that a sub-language only inherits can't be removed there (409 `publication_inherited`), and an archived book can't be changed (409 `book_archived`).",
    access: session("edit_channels"),
    body: jsonBody(publicationToggle),
    responses: { 200: json("The new state", publicationToggled) },
    problems: [409],
    handle: async ({ body, actor }, { publications }) =>
      ok({ success: true, isPublished: await publications.toggle(actor.author, body) }),
  }),
  defineRoute({
    id: "changePublications",
    method: "put",
    path: "/api/admin/channels/publications",
    summary: "Publish and unpublish many books on channels",
    description: `Brings up to ${MAX_PUBLICATION_CHANGES} publications into the requested states: all of them or none. \`changed\` is the number of publications that were stored or removed; each of them has an entry in the audit log. The order of the changes doesn't matter. A book, channel or language that doesn't exist is 404, an archived book 409 \`book_archived\`, and one that a sub-language only inherits from its parent and shall not have 409 \`publication_inherited\`; \`errors\` names each such change by its index. Accepts a body of up to 4 MiB (${MAX_BULK_BYTES} bytes).`,
    access: session("edit_channels"),
    body: jsonListsBody(
      publicationChanges,
      { envelope: publicationChangesEnvelope, items: { changes: publicationChange } },
      { maxBytes: MAX_BULK_BYTES },
    ),
    responses: { 200: json("The number of changed publications", publicationsChanged) },
    problems: [404, 409],
    handle: async ({ body, actor }, { publications }) =>
      ok({ success: true, changed: await publications.changeAll(actor.author, body.changes) }),
  }),
];
