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
      "The active books, in their order. A sub-language shows what its parent has, also while the parent is switched off, and what it has itself, but for the books that an override hides. A language without a parent has no overrides: 400 `not_a_sub_language`.",
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
      "Sets the overrides of the books that are named, all or none; the others keep theirs. They count as long as the language has a parent, whichever; a language that loses its parent shows all that it has, and the overrides come back with the next parent.",
    access: session("edit_languages"),
    params: languageParams,
    body: jsonBody(bookOverrides),
    answers: {
      200: json("The books that were named, in that order, as they are now", subLanguageBooksUpdated),
    },
    handle: async ({ params, body, actor }, { visibility }) =>
      ok({ success: true, books: await visibility.update(actor.author, params.langId, body.overrides) }),
  }),
];
