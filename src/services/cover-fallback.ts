/** Which of a book's covers a reader is shown, and which title when there is none. */
import type { CoverRow } from "../repositories/covers.repository.ts";
import type { LanguageRow } from "../repositories/languages.repository.ts";
import type { TranslationRow } from "../repositories/translations.repository.ts";

/**
 * The cover in that language, else in the one that it inherits from, else the book's own, else the English one, else that
 * of any language.
 * @param covers in the order of their codes
 * @param language undefined when none is asked for
 * @param standIns the languages whose covers may be shown; those of an inherited language always may
 */
export function coverFor(
  covers: readonly CoverRow[],
  language: LanguageRow | undefined,
  standIns: readonly LanguageRow[],
): CoverRow | undefined {
  const inLanguage = (id: number) => covers.find(({ languageId }) => languageId === id);
  const others = covers.filter(({ languageId }) => standIns.some(({ id }) => id === languageId));
  const isShown = ({ id }: LanguageRow) => standIns.some((other) => other.id === id);
  const scope = scopeOf(language).slice(language && !isShown(language) ? 1 : 0);
  return (
    scope.map(inLanguage).find(Boolean) ??
    covers.find(({ languageId }) => languageId === null) ??
    others.find(({ languageCode }) => isEnglish(languageCode)) ??
    others[0]
  );
}

/** The translation whose title a reader of the language sees; none when that is the English title. */
export const translationFor = (
  translations: readonly TranslationRow[],
  language: LanguageRow | undefined,
): TranslationRow | undefined =>
  scopeOf(language)
    .map((id) => translations.find(({ languageId }) => languageId === id))
    .find(Boolean);

/** A language, and the one that it inherits from. */
function scopeOf(language: LanguageRow | undefined): number[] {
  if (!language) return [];
  return language.parentId === null ? [language.id] : [language.id, language.parentId];
}

/** `en` itself comes before `en-GB`. */
const isEnglish = (code: string | null): boolean => code !== null && /^en(-|$)/.test(code);
