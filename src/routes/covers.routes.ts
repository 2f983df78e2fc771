/** Covers of books. */
import { sessionOrKey } from "../http/access.ts";
import { contentBody, jsonBody, uploadOrJson } from "../http/requests/body.ts";
import { confirmDeletion, content, empty, json, ok, okImage } from "../http/responses/responses.ts";
import { defineRoute } from "../http/route.ts";
import { success } from "../schemas/atoms.ts";
import { bookParams } from "../schemas/books.schemas.ts";
import {
  COVER_CONTENT_TYPES,
  COVER_UPLOAD_TYPES,
  coverList,
  coverParams,
  coverQuery,
  coverUpdated,
  MAX_COVER_BYTES,
  replacedCoverParams,
  storedCover,
} from "../schemas/covers.schemas.ts";

const place = "Use `default` as the language code for the book's default cover.";

export const coversRoutes = [
  defineRoute({
    id: "listAllCovers",
    method: "get",
    path: "/api/admin/covers",
    summary: "List the covers of all active books",
    description:
      "Returns the covers in the order of the books. The default cover of a book comes first; the others follow by language code.",
    access: sessionOrKey("view_books"),
    responses: { 200: json("The covers", coverList) },
    handle: async (_, { covers }) => ok(await covers.list()),
  }),
  defineRoute({
    id: "listCovers",
    method: "get",
    path: "/api/admin/books/{bookId}/covers",
    summary: "List the covers of a book",
    description: "Returns the default cover first; the others follow by language code.",
    access: sessionOrKey("view_books"),
    params: bookParams,
    responses: { 200: json("The covers", coverList) },
    handle: async ({ params }, { covers }) => ok(await covers.listOfBook(params.bookId)),
  }),
  defineRoute({
    id: "putCover",
    method: "put",
    path: "/api/admin/books/{bookId}/covers/{languageCode}",
    summary: "Upload or replace a cover",
    description: `Accepts JPEG, PNG, WebP or GIF (its first frame, stored as PNG), up to 10 MB and 40 megapixels. The image is decoded and re-encoded, without its metadata. The former image is kept for \`REPLACED_FILES_DAYS\`, at most 5 for each cover: it is in \`replaced\`, and its \`sha256\` brings it back as it was. Instead of bytes that the service has already, send JSON with their \`sha256\`: of an image, or of a book that contains a cover (404 \`content_unknown\` if no file has these bytes, 400 \`image_invalid\` if the book has no cover). ${place}`,
    access: sessionOrKey("edit_books"),
    params: coverParams,
    body: uploadOrJson(
      contentBody({ maxFileBytes: MAX_COVER_BYTES, mediaTypes: COVER_UPLOAD_TYPES }),
      jsonBody(storedCover),
    ),
    responses: { 200: json("The updated cover", coverUpdated) },
    handle: async (
      { params: { bookId, languageCode }, body, actor: { author } },
      { covers, fileRemarks },
    ) => {
      const cover =
        body.kind === "json"
          ? await covers.putStored(author, bookId, languageCode, body.json.sha256)
          : await covers.put(author, bookId, languageCode, body.file);
      return ok({ success: true, cover: await fileRemarks.addToCover(cover) });
    },
  }),
  defineRoute({
    id: "getCover",
    method: "get",
    path: "/api/admin/books/{bookId}/covers/{languageCode}",
    databaseLimit: "record",
    summary: "Get a cover",
    description: `Returns the stored image, or with \`width\` or \`fallback\` one that is made of it, as WebP or AVIF if the \`Accept\` header lists it. Returns 404 if there is no cover for this language, unless \`fallback=true\`. ${place}`,
    access: sessionOrKey("view_books"),
    params: coverParams,
    query: coverQuery,
    responses: {
      200: content("The image", ...COVER_CONTENT_TYPES),
      206: content("The requested part of the image", ...COVER_CONTENT_TYPES),
      304: empty("The client has this version of the image"),
    },
    problems: [412, 416, 503],
    handle: async ({ params: { bookId, languageCode }, query, accepted }, { covers }) =>
      okImage(
        query.width === undefined && !query.fallback
          ? await covers.open(bookId, languageCode)
          : await covers.readVariant(bookId, languageCode, query, accepted()),
      ),
  }),
  defineRoute({
    id: "deleteCover",
    method: "delete",
    path: "/api/admin/books/{bookId}/covers/{languageCode}",
    summary: "Delete a cover",
    description: `An hour later, its bytes and those in \`replaced\` are removed, unless another file or cover has or had them. ${place}`,
    access: sessionOrKey("edit_books"),
    params: coverParams,
    responses: { 200: json("Deleted", success) },
    handle: ({ params: { bookId, languageCode }, actor }, { covers }) =>
      confirmDeletion(covers.delete(actor.author, bookId, languageCode)),
  }),
  defineRoute({
    id: "deleteReplacedCover",
    method: "delete",
    path: "/api/admin/books/{bookId}/covers/{languageCode}/replaced/{sha256}",
    summary: "Remove a former cover for good",
    description: `Removes an entry of \`replaced\`, and its bytes at once unless another file or cover has or had them. The image that the cover has now is 404. ${place}`,
    access: sessionOrKey("edit_books"),
    params: replacedCoverParams,
    responses: { 200: json("Removed", success) },
    handle: ({ params, actor }, { covers }) => confirmDeletion(covers.removeReplaced(actor.author, params)),
  }),
];
