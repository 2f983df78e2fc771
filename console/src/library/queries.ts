/** What the page of the library reads and changes. */
import { queryOptions } from "@tanstack/react-query";
import { api, ifMatch, receive, type Schemas } from "../api/client.ts";
import { sendForm } from "../api/send-form.ts";

const LOGO_PATH = "/api/admin/library/logo";

/** With the hash: browsers read it again when it is another one. */
export const addressOf = ({ sha256 }: Schemas["LibraryLogo"]): string => `${LOGO_PATH}#${sha256}`;

export const libraryQuery = queryOptions({
  queryKey: ["library"],
  queryFn: () => receive(api.GET("/api/admin/library")),
});

/** @param version the only one that is changed */
export const updateLibrary = (body: Schemas["LibraryUpdate"], version: string | undefined) =>
  receive(api.PATCH("/api/admin/library", { params: { header: ifMatch(version) }, body }));

export const textsQuery = (languageCode: string) =>
  queryOptions({
    queryKey: ["library", "texts", languageCode],
    queryFn: () =>
      receive(api.GET("/api/admin/library/texts/{languageCode}", { params: { path: { languageCode } } })),
  });

/** @param version the only one that is changed */
export const updateTexts = (
  languageCode: string,
  body: Schemas["LibraryTextsUpdate"],
  version: string | undefined,
) =>
  receive(
    api.PUT("/api/admin/library/texts/{languageCode}", {
      params: { path: { languageCode }, header: ifMatch(version) },
      body,
    }),
  );

export function sendLogo(file: File) {
  const form = new FormData();
  form.set("file", file);
  return sendForm("PUT", LOGO_PATH, form, () => undefined);
}

export const removeLogo = () => receive(api.DELETE("/api/admin/library/logo"));
