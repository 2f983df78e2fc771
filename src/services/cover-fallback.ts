/** Which of a book's covers a reader is shown, and which title when there is none. */
import type { CoverRow } from "../repositories/covers.repository.ts";
import type { LanguageRow } from "../repositories/languages.repository.ts";
import type { TranslationRow } from "../repositories/translations.repository.ts";

/**
 * The cover in that language, else in the one that it inherits from, else the English one, else that of any language,
 * else the book's own.
 * @param covers in the order of their codes
 * @param language undefined when none is asked for
 * @param standIns the languages whose covers may stand in for others
 */
export function coverFor(
  covers: readonly CoverRow[],
  language: LanguageRow | undefined,
  standIns: readonly LanguageRow[],
): CoverRow | undefined {
  const inLanguage = (id: number) => covers.find(({ languageId }) => languageId === id);
  const others = covers.filter(({ languageId }) => standIns.some(({ id }) => id === languageId));
  return (
    scopeOf(language).map(inLanguage).find(Boolean) ??
    others.find(({ languageCode }) => isEnglish(languageCode)) ??
    others[0] ??
    covers.find(({ languageId }) => languageId === null)
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
