/** Languages. */
import { session } from "../http/access.ts";
import { jsonBody } from "../http/requests/body.ts";
import { confirmDeletion, created, json, ok, versioned, withVersion } from "../http/responses/responses.ts";
import { defineRoute } from "../http/route.ts";
import { success } from "../schemas/atoms.ts";
import {
  bookOverrides,
  createdLanguage,
  languageCreation,
  languageDeletion,
  languageDeletionQuery,
  languageList,
  languageParams,
  languageUpdate,
  languageUpdated,
  languageUsage,
  subLanguageBooks,
  subLanguageBooksUpdated,
} from "../schemas/languages.schemas.ts";

export const languagesRoutes = [
  defineRoute({
    id: "listLanguages",
    method: "get",
    path: "/api/admin/languages",
    summary: "List languages",
    description: "Returns active and inactive languages and sub-languages, ordered by `name`.",
    access: session("view_languages"),
    responses: { 200: json("The languages", languageList) },
    handle: async (_, { languages }) => ok(await languages.list()),
  }),
  defineRoute({
    id: "createLanguage",
    method: "post",
    path: "/api/admin/languages",
    summary: "Create a language",
    description:
      "To create a sub-language, set `parentId`. A sub-language uses the translations and files of its parent where it has none of its own. Without `parentId`, the response suggests a parent, which an update can set. A name in place of the code is an error that suggests the code.",
    access: session("edit_languages"),
    body: jsonBody(languageCreation),
    responses: { 201: versioned("The language", createdLanguage) },
    problems: [409],
    handle: async ({ body, actor }, { languages }) => {
      const added = await languages.create(actor.author, body);
      return withVersion(created("/api/admin/languages", added), added);
    },
  }),
  defineRoute({
    id: "getLanguageUsage",
    method: "get",
    path: "/api/admin/languages/{langId}",
    summary: "Get the usage of a language",
    description:
      "Returns the number of records that belong to the language, for example to review before deleting it.",
    access: session("view_languages"),
    params: languageParams,
    responses: { 200: json("The counts", languageUsage) },
    handle: async ({ params }, { languages }) => ok(await languages.countUsage(params.langId)),
  }),
  defineRoute({
    id: "updateLanguage",
    patchId: "patchLanguage",
    method: "put",
    path: "/api/admin/languages/{langId}",
    summary: "Update a language",
    description: "Changes only the fields in the request.",
    access: session("edit_languages"),
    params: languageParams,
    body: jsonBody(languageUpdate),
    takesIfMatch: true,
    responses: { 200: versioned("The updated language", languageUpdated) },
    problems: [409],
    handle: async ({ params, body, actor, expected }, { languages }) => {
      const updated = await languages.update(actor.author, params.langId, body, expected);
      return withVersion(ok({ success: true, language: updated }), updated);
    },
  }),
  defineRoute({
    id: "deleteLanguage",
    method: "delete",
    path: "/api/admin/languages/{langId}",
    databaseLimit: "batches",
    summary: "Delete a language with its translations, files and publications",
    description:
      "Send `mode` in the body or the query. `preserve_analytics` (default) keeps the download events, with names and titles. `delete_all` also deletes the download events, updates the totals and dates of contacts, and deletes contacts without remaining events, with their consents. It first deactivates the language: if the deletion is interrupted, the language stays inactive, and the request can be repeated.",
    access: session("edit_languages"),
    params: languageParams,
    query: languageDeletionQuery,
    body: jsonBody(languageDeletion, { isRequired: false }),
    takesIfMatch: true,
    responses: { 200: json("Deleted", success) },
    handle: ({ params, query, body, actor, expected }, { languages }) =>
      confirmDeletion(
        languages.delete(actor.author, params.langId, { modes: [query.mode, body.mode], expected }),
      ),
  }),
  defineRoute({
    id: "listSubLanguageBooks",
    method: "get",
    path: "/api/admin/languages/{langId}/books",
    summary: "Get book visibility for a sub-language",
    description:
      "Returns the active books in their order. A sub-language shows its own books and those of its parent, even if the parent is inactive, except books hidden by an override. Returns 400 `not_a_sub_language` for a language without a parent.",
    access: session("view_languages"),
    params: languageParams,
    responses: { 200: json("The sub-language and its books", subLanguageBooks) },
    problems: [400],
    isCompressed: true,
    handle: async ({ params }, { visibility }) => ok(await visibility.list(params.langId)),
  }),
  defineRoute({
    id: "updateSubLanguageBooks",
    method: "put",
    path: "/api/admin/languages/{langId}/books",
    summary: "Update book visibility for a sub-language",
    description:
      "Sets the overrides of the books in the request, all or none; other books keep theirs. Overrides are kept when the parent changes, and have no effect while the language has no parent.",
    access: session("edit_languages"),
    params: languageParams,
    body: jsonBody(bookOverrides),
    responses: {
      200: json("The books in the request, in the same order, with their new state", subLanguageBooksUpdated),
    },
    handle: async ({ params, body, actor }, { visibility }) =>
      ok({ success: true, books: await visibility.update(actor.author, params.langId, body.overrides) }),
  }),
];
