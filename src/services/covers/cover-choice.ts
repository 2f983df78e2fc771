/** Chooses the cover that readers of a language see: an uploaded one, or one that is drawn from the title. */
import type { BookRow } from "../../repositories/books.repository.ts";
import type { CoverRow } from "../../repositories/covers.repository.ts";
import type { CatalogueRepositories } from "../../repositories/index.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import { scopeIds } from "../../repositories/publication-rules.ts";
import type { TranslationRow } from "../../repositories/translations.repository.ts";
import { COVER_STORED_TYPES, type CoverStoredType } from "../../schemas/covers.schemas.ts";
import { parseWord } from "../shared/stored-values.ts";
import type { CoverSource } from "./cover-variants.ts";

/** Suits drawings with few colours and sharp edges. */
const PLACEHOLDER_TYPE = "image/png";

/**
 * @param language undefined if none is requested
 * @param showing the ids of the languages whose covers can be used as a substitute
 */
export async function findCoverSource(
  { covers, languages, translations }: CatalogueRepositories,
  book: BookRow,
  language: LanguageRow | undefined,
  showing: readonly number[],
): Promise<CoverSource> {
  const all = await languages.list();
  const substitutes = all.filter(({ id }) => showing.includes(id));
  const cover = chooseCover(await covers.listOfBook(book.id), language, substitutes);
  if (cover) return storedSource(cover);
  // The title that readers of the language see, and the language of that title.
  const translation = chooseTranslation(await translations.listOfBook(book.id), language);
  const written = all.find(({ id }) => id === translation?.languageId);
  return {
    kind: "title",
    contentType: PLACEHOLDER_TYPE,
    title: translation?.title ?? book.titleEn,
    languageCode: written?.code ?? "en",
    direction: written?.direction ?? "ltr",
  };
}

export const storedSource = (cover: CoverRow): CoverSource => ({
  kind: "stored",
  contentType: coverTypeOf(cover),
  sha256: cover.sha256,
  fileSizeBytes: cover.fileSizeBytes,
});

export const coverTypeOf = (row: { contentType: string }): CoverStoredType =>
  parseWord(COVER_STORED_TYPES, row.contentType);

/**
 * The cover in the requested language, or else in its parent language, the default cover, the English one, or one in
 * any language.
 * @param covers ordered by language code
 * @param language undefined if none is requested
 * @param substitutes the languages whose covers can be used as a substitute; those of the parent language always can
 */
export function chooseCover(
  covers: readonly CoverRow[],
  language: LanguageRow | undefined,
  substitutes: readonly LanguageRow[],
): CoverRow | undefined {
  const inLanguage = (id: number) => covers.find(({ languageId }) => languageId === id);
  const others = covers.filter(({ languageId }) => substitutes.some(({ id }) => id === languageId));
  const isShown = ({ id }: LanguageRow) => substitutes.some((other) => other.id === id);
  const scope = scopeOf(language).slice(language && !isShown(language) ? 1 : 0);
  return (
    scope.map(inLanguage).find(Boolean) ??
    covers.find(({ languageId }) => languageId === null) ??
    others.find(({ languageCode }) => isEnglish(languageCode)) ??
    others[0]
  );
}

/** The translation whose title readers of the language see; undefined if they see the English title. */
const chooseTranslation = (
  translations: readonly TranslationRow[],
  language: LanguageRow | undefined,
): TranslationRow | undefined =>
  scopeOf(language)
    .map((id) => translations.find(({ languageId }) => languageId === id))
    .find(Boolean);

/** A language and its parent. */
const scopeOf = (language: LanguageRow | undefined): number[] => (language ? scopeIds(language) : []);

/** `en` sorts before `en-GB`. */
const isEnglish = (code: string | null): boolean => code !== null && /^en(-|$)/.test(code);
