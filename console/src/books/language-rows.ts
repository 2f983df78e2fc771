/** What a book has in each language. */
import type { Schemas } from "../api/client.ts";

type Details = Schemas["BookDetails"];
type Language = Schemas["Language"];

export interface LanguageOfBook {
  code: string;
  translation: Schemas["Translation"] | undefined;
  files: Schemas["BookFile"][];
  /** The version of its own cover, undefined without one. */
  coverVersion: string | undefined;
}

/** The languages in which a book has something of its own, by their codes. */
export function groupByLanguage(details: Details, languages: readonly Language[]): LanguageOfBook[] {
  const { translations, covers, publications } = details;
  const files = details.files.filter(({ isActive }) => isActive === 1);
  const published = new Set(publications.flatMap(({ languageIds }) => languageIds));
  const codes = new Set(
    [
      ...translations,
      ...files,
      ...covers.filter(({ languageId }) => languageId !== null),
      ...languages.filter(({ id }) => published.has(id)).map(({ code }) => ({ languageCode: code })),
    ].map(({ languageCode }) => languageCode),
  );
  return [...codes].sort().map((code) => ({
    code,
    translation: translations.find(({ languageCode }) => languageCode === code),
    files: files.filter(({ languageCode }) => languageCode === code),
    coverVersion: covers.find(({ languageCode }) => languageCode === code)?.sha256,
  }));
}

/** The formats that a book has in some language: the columns of its files. */
export const listFileTypes = (languages: readonly LanguageOfBook[]): string[] =>
  [...new Set(languages.flatMap(({ files }) => files.map(({ fileType }) => fileType)))].sort();

/** How a book stands on a channel in a language: by itself, by the parent of the language, or not at all. */
export function findPlace(
  { publications }: Pick<Details, "publications">,
  channelId: string,
  { id, parentId }: Pick<Language, "id" | "parentId">,
): "own" | "inherited" | undefined {
  const languageIds = publications.find((each) => each.channelId === channelId)?.languageIds ?? [];
  if (languageIds.includes(id)) return "own";
  return parentId !== null && languageIds.includes(parentId) ? "inherited" : undefined;
}
