/** Languages. */
import { session } from "../http/access.ts";
import { jsonBody } from "../http/requests/body.ts";
import { created, json, ok } from "../http/responses/responses.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { success } from "../schemas/atoms.ts";
import {
  bookOverrides,
  language,
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

const tag = "Languages";

export const languagesRoutes: readonly Route[] = [
  defineRoute({
    id: "listLanguages",
    method: "get",
    path: "/api/admin/languages",
    tag,
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
    tag,
    summary: "Create a language",
    description:
      "To create a sub-language, set `parentId`. A sub-language shows the translations and files of its parent where it has none of its own.",
    access: session("edit_languages"),
    body: jsonBody(languageCreation),
    responses: { 201: json("The language", language) },
    problems: [409],
    handle: async ({ body, actor }, { languages }) => {
      const added = await languages.create(actor.author, body);
      return created(`/api/admin/languages/${added.id}`, added);
    },
  }),
  defineRoute({
    id: "getLanguageUsage",
    method: "get",
    path: "/api/admin/languages/{langId}",
    tag,
    summary: "Get usage counts of a language",
    description: "Counts what belongs to the language. Call it before you delete a language.",
    access: session("view_languages"),
    params: languageParams,
    responses: { 200: json("The counts", languageUsage) },
    problems: [404],
    handle: async ({ params }, { languages }) => ok(await languages.usage(params.langId)),
  }),
  defineRoute({
    id: "updateLanguage",
    method: "put",
    path: "/api/admin/languages/{langId}",
    tag,
    summary: "Update a language",
    description: "Changes only the fields in the request.",
    access: session("edit_languages"),
    params: languageParams,
    body: jsonBody(languageUpdate),
    responses: { 200: json("The language as it is now", languageUpdated) },
    problems: [404, 409],
    handle: async ({ params, body, actor }, { languages }) =>
      ok({ success: true, language: await languages.update(actor.author, params.langId, body) }),
  }),
  defineRoute({
    id: "deleteLanguage",
    method: "delete",
    path: "/api/admin/languages/{langId}",
    tag,
    summary: "Delete a language with its translations, files and publications",
    description:
      "`mode` in the body or the query: `preserve_analytics` (default) keeps its download events, with names and titles; `delete_all` deletes them too. Then the totals and dates of contacts follow, and contacts of whom no event is left go with their consents.",
    access: session("edit_languages"),
    params: languageParams,
    query: languageDeletionQuery,
    body: jsonBody(languageDeletion, { isRequired: false }),
    responses: { 200: json("Deleted", success) },
    problems: [404],
    handle: async ({ params, query, body, actor }, { languages }) => {
      await languages.delete(actor.author, params.langId, [query.mode, body.mode]);
      return ok({ success: true });
    },
  }),
];

// The books of sub-languages, and which of them are shown.

export const visibilityRoutes: readonly Route[] = [
  defineRoute({
    id: "listSubLanguageBooks",
    method: "get",
    path: "/api/admin/languages/{langId}/books",
    tag,
    summary: "Get book visibility for a sub-language",
    description:
      "Returns the active books in their order. A sub-language shows the books of its parent, even while the parent is inactive, and its own, except those hidden by an override. A language without a parent returns 400 `not_a_sub_language`.",
    access: session("view_languages"),
    params: languageParams,
    responses: { 200: json("The sub-language and its books", subLanguageBooks) },
    problems: [400],
    handle: async ({ params }, { visibility }) => ok(await visibility.list(params.langId)),
  }),
  defineRoute({
    id: "updateSubLanguageBooks",
    method: "put",
    path: "/api/admin/languages/{langId}/books",
    tag,
    summary: "Update book visibility for a sub-language",
    description:
      "Sets the overrides of the books in the request, all or none; other books keep theirs. Overrides stay when the parent changes, and have no effect while the language has none.",
    access: session("edit_languages"),
    params: languageParams,
    body: jsonBody(bookOverrides),
    responses: {
      200: json("The books of the request, in that order, as they are now", subLanguageBooksUpdated),
    },
    handle: async ({ params, body, actor }, { visibility }) =>
      ok({ success: true, books: await visibility.update(actor.author, params.langId, body.overrides) }),
  }),
];
