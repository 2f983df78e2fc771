/** Translations of a book's title and description, one per language. */
import type { Clock, NewId } from "../../adapters/system.ts";
import type { TranslationsTable } from "../../db/schema.ts";
import { notFound } from "../../errors.ts";
import { searchTextOf } from "../../lib/text.ts";
import type { Author } from "../../repositories/change.ts";
import type { ChangeCatalogue } from "../../repositories/index.ts";
import type { Translation, TranslationRequest } from "../../schemas/translations.schemas.ts";
import { bookById, requestedLanguage } from "../catalogue/catalogue-lookup.ts";
import { presentTranslation } from "./presenters.ts";

interface TranslationsServiceDeps {
  change: ChangeCatalogue;
  newId: NewId;
  clock: Clock;
}

export class TranslationsService {
  readonly #deps: TranslationsServiceDeps;

  constructor(deps: TranslationsServiceDeps) {
    this.#deps = deps;
  }

  /** Adds or replaces the translation in this language. A missing description leaves the stored one unchanged. */
  put(
    by: Author,
    bookId: string,
    given: TranslationRequest,
  ): Promise<{ isNew: boolean; translation: Translation }> {
    return this.#deps.change(by, async (repositories) => {
      const { books, translations } = repositories;
      await bookById(books, bookId);
      const language = await requestedLanguage(repositories.languages, given);
      const known = await translations.findIn(bookId, language.id);
      const now = this.#deps.clock.now();
      const id = known?.id ?? this.#deps.newId();
      const description = given.description === undefined ? known?.description : given.description;
      const { title } = given;
      const row = translationRow({ id, bookId, languageId: language.id, title, description, now });
      if (known) await translations.update(id, { ...row, createdAt: known.createdAt });
      else await translations.insert(row);
      const stored = { ...row, createdAt: known?.createdAt ?? now, languageCode: language.code };
      const change = {
        action: known ? "update" : "create",
        object: translationObject(row),
        ...(known && { before: known }),
        after: row,
      } as const;
      return { response: { isNew: known === undefined, translation: presentTranslation(stored) }, change };
    });
  }

  async delete(by: Author, bookId: string, languageId: number): Promise<void> {
    await this.#deps.change(by, async ({ translations }) => {
      const before = await translations.findIn(bookId, languageId);
      if (!before) throw notFound("translation_not_found", "This book has no translation in that language.");
      await translations.delete(before.id);
      return { response: undefined, change: { action: "delete", object: translationObject(before), before } };
    });
  }
}

const translationObject = ({ id, title }: Pick<TranslationsTable, "id" | "title">) =>
  ({ kind: "translation", id, name: title }) as const;

/** A new row; `now` is its time of creation and of its last change. */
export function translationRow(given: {
  id: string;
  bookId: string;
  languageId: number;
  title: string;
  description?: string | null | undefined;
  now: number;
}): TranslationsTable {
  // An empty text removes the description; null counts as a missing field.
  const description = given.description || null;
  return {
    id: given.id,
    bookId: given.bookId,
    languageId: given.languageId,
    title: given.title,
    description,
    searchText: searchTextOf([given.title, description ?? ""]),
    createdAt: given.now,
    updatedAt: given.now,
  };
}
