/** Translations of a book's title and description, one per language. */
import type { Clock } from "../adapters/clock.ts";
import type { NewId } from "../adapters/ids.ts";
import type { TranslationsTable } from "../db/schema.ts";
import { invalidInput, notFound } from "../errors.ts";
import { foldForSearch } from "../lib/text.ts";
import type { Repositories, WriteCatalogue } from "../repositories/index.ts";
import type { LanguageRow } from "../repositories/languages.repository.ts";
import type { Translation, TranslationRequest } from "../schemas/translations.schemas.ts";
import { bookById, invalidField, unknownLanguage } from "./catalogue-lookup.ts";
import { presentTranslation } from "./presenters.ts";

export class TranslationsService {
  readonly #write: WriteCatalogue;
  readonly #newId: NewId;
  readonly #clock: Clock;

  constructor(uses: { write: WriteCatalogue; newId: NewId; clock: Clock }) {
    this.#write = uses.write;
    this.#newId = uses.newId;
    this.#clock = uses.clock;
  }

  /** Adds the translation, or changes the one in that language; a description that isn't given stays. */
  put(bookId: string, given: TranslationRequest): Promise<{ isNew: boolean; translation: Translation }> {
    return this.#write(async (repositories) => {
      const { books, translations } = repositories;
      await bookById(books, bookId);
      const language = await requestedLanguage(repositories, given);
      const known = await translations.find(bookId, language.id);
      const now = this.#clock.now();
      const id = known?.id ?? this.#newId();
      const description = given.description === undefined ? known?.description : given.description;
      const { title } = given;
      const row = translationRow({ id, bookId, languageId: language.id, title, description, now });
      if (known) await translations.update(id, { ...row, createdAt: known.createdAt });
      else await translations.insert(row);
      const stored = { ...row, createdAt: known?.createdAt ?? now, languageCode: language.code };
      return { isNew: known === undefined, translation: presentTranslation(stored) };
    });
  }

  async delete(bookId: string, languageId: number): Promise<void> {
    const wasThere = await this.#write(({ translations }) => translations.delete(bookId, languageId));
    if (!wasThere) throw notFound("translation_not_found", "This book has no translation in that language.");
  }
}

/** A new row; `now` is the time of both its making and its last change. */
export function translationRow(given: {
  id: string;
  bookId: string;
  languageId: number;
  title: string;
  description?: string | null | undefined;
  now: number;
}): TranslationsTable {
  const description = given.description ?? null;
  return {
    id: given.id,
    bookId: given.bookId,
    languageId: given.languageId,
    title: given.title,
    description,
    searchText: foldForSearch(`${given.title}\n${description ?? ""}`),
    createdAt: given.now,
    updatedAt: given.now,
  };
}

async function requestedLanguage(
  { languages }: Repositories,
  given: TranslationRequest,
): Promise<LanguageRow> {
  const { languageCode, languageId } = given;
  const byId = languageId === undefined ? undefined : await languages.find(languageId);
  const byCode = languageCode === undefined ? undefined : await languages.findByCode(languageCode);
  const unknown = [
    ...(languageId === undefined || byId ? [] : [unknownLanguage("languageId", languageId)]),
    ...(languageCode === undefined || byCode ? [] : [unknownLanguage("languageCode", languageCode)]),
  ];
  if (unknown.length > 0) throw invalidInput(unknown);
  if (byId && byCode && byId.id !== byCode.id) {
    throw invalidField("languageId", "names another language than languageCode", "contradiction");
  }
  const language = byCode ?? byId;
  if (!language) throw invalidField("languageCode", "give languageCode or languageId", "missing_language");
  return language;
}
