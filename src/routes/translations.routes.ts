/** Translations of books. */
import { sessionOrKey } from "../http/access.ts";
import { jsonBody } from "../http/requests/body.ts";
import { confirmDeletion, created, json, ok, versioned, withVersion } from "../http/responses/responses.ts";
import { defineRoute } from "../http/route.ts";
import { success } from "../schemas/atoms.ts";
import { bookParams } from "../schemas/books.schemas.ts";
import { translation, translationParams, translationRequest } from "../schemas/translations.schemas.ts";

export const translationsRoutes = [
  defineRoute({
    id: "putTranslation",
    method: "post",
    path: "/api/admin/books/{bookId}/translations",
    summary: "Add or update a translation",
    description:
      "Adds the translation, or updates the existing one in this language. With `If-Match` it only updates: without an existing translation, the response is 404. Send `languageCode` or `languageId`. An update without `description` keeps the existing description.",
    access: sessionOrKey("edit_books"),
    params: bookParams,
    body: jsonBody(translationRequest),
    takesIfMatch: true,
    responses: {
      200: versioned("The updated translation", translation),
      201: versioned("The new translation", translation),
    },
    handle: async ({ params: { bookId }, body, actor, expected }, { translations }) => {
      const { isNew, translation: put } = await translations.put(actor.author, bookId, body, expected);
      const path = `/api/admin/books/${bookId}/translations`;
      return withVersion(isNew ? created(path, put, put.languageId) : ok(put), put);
    },
  }),
  defineRoute({
    id: "deleteTranslation",
    method: "delete",
    path: "/api/admin/books/{bookId}/translations/{languageId}",
    summary: "Delete a translation",
    description:
      "Deletes the title and description in one language. Files, covers and publications in that language are kept.",
    access: sessionOrKey("edit_books"),
    params: translationParams,
    takesIfMatch: true,
    responses: { 200: json("Deleted", success) },
    handle: ({ params: { bookId, languageId }, actor, expected }, { translations }) =>
      confirmDeletion(translations.delete(actor.author, bookId, languageId, expected)),
  }),
];
