/** The books of sub-languages, and which of them are shown. */
import { session } from "../http/access.ts";
import { json, ok } from "../http/answers.ts";
import { jsonBody } from "../http/body.ts";
import { defineRoute, type Route } from "../http/define-route.ts";
import { languageParams } from "../schemas/languages.schemas.ts";
import { bookOverrides, subLanguageBooks, subLanguageBooksUpdated } from "../schemas/visibility.schemas.ts";

const tag = "Languages";

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
    answers: { 200: json("The sub-language and its books", subLanguageBooks) },
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
    answers: {
      200: json("The books of the request, in that order, as they are now", subLanguageBooksUpdated),
    },
    handle: async ({ params, body, actor }, { visibility }) =>
      ok({ success: true, books: await visibility.update(actor.author, params.langId, body.overrides) }),
  }),
];
