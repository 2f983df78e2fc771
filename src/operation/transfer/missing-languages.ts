/** The languages that a library has and a service lacks. */
import type { Languages } from "./language-codes.ts";
import type { DeclaredLanguage } from "./library.ts";
import { type BookPlan, isChanging } from "./plan.ts";
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

/** The languages of what an import writes of these books. */
export const listNeededCodes = (plans: readonly BookPlan[]): string[] =>
  plans.filter(isChanging).flatMap(({ item, newFiles, replacedFiles, covers }) => {
    const replacing = replacedFiles.map(({ file }) => file);
    const parts = [item?.translations ?? [], item?.files ?? [], newFiles, replacing, covers].flat();
    return parts.flatMap(({ languageCode }) => languageCode ?? []);
  });

/** Parents first. @param declared by the catalogue itself: these are created also without a book */
export function keepNeeded(
  missing: readonly DeclaredLanguage[],
  declared: readonly DeclaredLanguage[],
  needed: ReadonlySet<string>,
): DeclaredLanguage[] {
  const wanted = new Set([...needed, ...declared.map(({ code }) => code)]);
  const kept = missing.filter(({ code }) => wanted.has(code));
  const isParent = ({ parentCode }: DeclaredLanguage) => parentCode === undefined;
  return [...kept.filter(isParent), ...kept.filter((each) => !isParent(each))];
}
