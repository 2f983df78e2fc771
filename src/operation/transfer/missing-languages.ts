/** The languages that a library has and a service lacks. */
import type { Languages } from "./language-codes.ts";
import type { DeclaredLanguage } from "./library.ts";
import type { WantedBook } from "./wanted.ts";

export async function findMissingLanguages(
  declared: readonly DeclaredLanguage[],
  books: readonly WantedBook[],
  languages: Languages,
): Promise<DeclaredLanguage[]> {
  const needed = new Map<string, DeclaredLanguage>();
  for (const { translations, files, links, covers } of books) {
    for (const { languageCode: code } of [...translations, ...files, ...links, ...covers]) {
      if (code !== undefined) needed.set(code, { code });
    }
  }
  for (const language of declared) needed.set(language.code, language);
  await languages.learn([...needed.keys()]);
  return [...needed.values()]
    .filter(({ code }) => !languages.exists(code))
    .sort((one, other) => (one.code < other.code ? -1 : 1));
}

export const withParentsFirst = (languages: readonly DeclaredLanguage[]): DeclaredLanguage[] => [
  ...languages.filter(({ parentCode }) => parentCode === undefined),
  ...languages.filter(({ parentCode }) => parentCode !== undefined),
];
