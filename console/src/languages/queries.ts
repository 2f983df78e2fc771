/** What the page of languages reads and changes. */
import { queryOptions } from "@tanstack/react-query";
import { api, ifMatch, receive, type Schemas } from "../api/client.ts";
import { useChange } from "../api/use-change.ts";

export const languagesQuery = queryOptions({
  queryKey: ["languages"],
  queryFn: () => receive(api.GET("/api/admin/languages")),
});

/** Books show languages, too. */
export const useLanguageChange = <Input, Result>(change: (input: Input) => Promise<Result>) =>
  useChange(change, "languages", "books");

export const createLanguage = (body: Schemas["LanguageCreation"]) =>
  receive(api.POST("/api/admin/languages", { body }));

/** @param version the only one that is changed */
export const updateLanguage = (
  langId: number,
  body: Schemas["LanguageUpdate"],
  version: string | undefined,
) =>
  receive(
    api.PATCH("/api/admin/languages/{langId}", {
      params: { path: { langId }, header: ifMatch(version) },
      body,
    }),
  );

export const subLanguageBooksQuery = (langId: number) =>
  queryOptions({
    queryKey: ["languages", "books", langId],
    queryFn: () => receive(api.GET("/api/admin/languages/{langId}/books", { params: { path: { langId } } })),
  });

/** @param isVisible null: as in the parent */
export const overrideBook = (langId: number, bookId: string, isVisible: boolean | null) =>
  receive(
    api.PUT("/api/admin/languages/{langId}/books", {
      params: { path: { langId } },
      body: { overrides: [{ bookId, isVisible }] },
    }),
  );
