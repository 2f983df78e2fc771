/** Translations of books. */
import { sessionOrKey } from "../http/access.ts";
import { jsonBody } from "../http/requests/body.ts";
import { created, deleted, json, ok } from "../http/responses/responses.ts";
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
      "Adds the translation, or updates the existing one in this language. Send `languageCode` or `languageId`. An update without `description` keeps the existing description.",
    access: sessionOrKey("edit_books"),
    params: bookParams,
    body: jsonBody(translationRequest),
    responses: {
      200: json("The updated translation", translation),
      201: json("The new translation", translation),
    },
    handle: async ({ params: { bookId }, body, actor }, { translations }) => {
      const { isNew, translation: put } = await translations.put(actor.author, bookId, body);
      return isNew ? created(`/api/admin/books/${bookId}/translations`, put, put.languageId) : ok(put);
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
    responses: { 200: json("Deleted", success) },
    handle: ({ params: { bookId, languageId }, actor }, { translations }) =>
      deleted(translations.delete(actor.author, bookId, languageId)),
  }),
];
