/** Translations of a book, one per language: its title, its description, and the credits of that edition. */
import { notFound } from "../../errors.ts";
import type { Author } from "../../repositories/change.ts";
import type { TranslatedRow, TranslationRow } from "../../repositories/translations.repository.ts";
import type { Translation, TranslationRequest } from "../../schemas/translations.schemas.ts";
import { assertRequestedLanguage, findBook, findLanguage } from "../shared/catalogue-lookup.ts";
import { type CreditsGiven, createCreditColumns, createTranslationSearchText } from "../shared/credits.ts";
import { assertVersion, type ExpectedVersions } from "../shared/record-versions.ts";
import { type CatalogueDeps, Service } from "../shared/service.ts";
import { presentTranslation } from "./presenters.ts";

export class TranslationsService extends Service<Pick<CatalogueDeps, "change" | "newId" | "clock">> {
  /** Adds the translation in this language, or changes it; fields other than the title keep their values if omitted. */
  put(
    by: Author,
    bookId: string,
    given: TranslationRequest,
    expected?: ExpectedVersions,
  ): Promise<{ isNew: boolean; translation: Translation }> {
    return this.deps.change(by, async (repositories) => {
      const { books, translations } = repositories;
      await findBook(books, bookId);
      const language = await assertRequestedLanguage(repositories.languages, given);
      const known = await translations.findIn(bookId, language.id);
      assertTranslationVersion(expected, known && { ...known, languageCode: language.code });
      const now = this.deps.clock.now();
      const place = { id: known?.id ?? this.deps.newId(), bookId, languageId: language.id };
      const row = createTranslationRow(given, { ...place, before: known, now });
      if (known) await translations.update(row.id, row);
      else await translations.insert(row);
      const stored = { ...row, languageCode: language.code };
      const change = {
        action: known ? "update" : "create",
        object: translationObject(row),
        ...(known && { before: known }),
        after: stored,
      } as const;
      const response = { isNew: known === undefined, translation: presentTranslation(stored) };
      return { response, change, reach: { languageId: language.id } };
    });
  }

  async delete(by: Author, bookId: string, languageId: number, expected?: ExpectedVersions): Promise<void> {
    await this.deps.change(by, async ({ translations, languages }) => {
      const before = await translations.findIn(bookId, languageId);
      if (!before) throw translationNotFound();
      const { code: languageCode } = await findLanguage(languages, languageId);
      assertVersion(expected, presentTranslation({ ...before, languageCode }));
      await translations.delete(before.id);
      const change = { action: "delete", object: translationObject(before), before } as const;
      return { response: undefined, change, reach: { languageId } };
    });
  }
}

const translationNotFound = () =>
  notFound("translation_not_found", "This book has no translation in that language.");

/** A condition applies to an existing translation only. */
function assertTranslationVersion(expected: ExpectedVersions, known: TranslationRow | undefined): void {
  if (expected === undefined) return;
  if (!known) throw translationNotFound();
  assertVersion(expected, presentTranslation(known));
}

const translationObject = ({ id, title }: Pick<TranslatedRow, "id" | "title">) =>
  ({ kind: "translation", id, name: title }) as const;

interface TranslationGiven extends CreditsGiven {
  title: string;
  description?: string | undefined;
}

interface TranslationPlace {
  id: string;
  bookId: string;
  languageId: number;
  /** The row that it replaces. */
  before?: TranslatedRow | undefined;
  now: number;
}

/** The row of a translation. What isn't given stays as before; an empty text removes a value. */
export function createTranslationRow(
  given: TranslationGiven,
  { before, now, ...place }: TranslationPlace,
): TranslatedRow {
  const row = {
    ...place,
    title: given.title,
    description: (given.description ?? before?.description) || null,
    ...createCreditColumns(given, before),
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  };
  return { ...row, searchText: createTranslationSearchText(row) };
}
