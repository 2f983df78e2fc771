/** What readers of a language get of a book, and why they get nothing. */
import type { Clock } from "../../adapters/system.ts";
import { notFound } from "../../errors.ts";
import type { CatalogueRepositories } from "../../repositories/index.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type { BookPreview } from "../../schemas/book-preview.schemas.ts";
import { presentPublicBook } from "../catalogue/presenters.ts";
import { findTexts, groupPartsByBook } from "../catalogue/publication-parts.ts";
import { chooseCover } from "../covers/cover-choice.ts";
import { findBook } from "../shared/catalogue-lookup.ts";
import type { CatalogueDeps } from "../shared/service.ts";

type BookPreviewDeps = Pick<CatalogueDeps, "reads" | "clock">;

export class BookPreviewService {
  readonly #reads: CatalogueRepositories;
  readonly #clock: Clock;

  constructor({ reads, clock }: BookPreviewDeps) {
    this.#reads = reads;
    this.#clock = clock;
  }

  /** @throws AppError 404 for an unknown book or language */
  async preview(bookId: string, languageCode: string): Promise<BookPreview> {
    const { books, languages, publication, translations } = this.#reads;
    const row = await findBook(books, bookId);
    const now = this.#clock.now();
    const all = await languages.list();
    const language = all.find(({ codeKey }) => codeKey === languageCode.toLowerCase());
    if (!language) throw notFound("language_not_found", "Language not found.");
    const parts = groupPartsByBook({
      files: await publication.listActiveFiles([bookId]),
      translations: await translations.listOfBook(bookId),
      places: await publication.findPlaces([bookId], now),
    })(bookId);
    const isPublished = parts.places.some(({ languageId }) => languageId === language.id);
    const active = all.filter(({ isActive }) => isActive === 1);
    const remarks: BookPreview["remarks"] = [];
    if (findTexts(parts.translations, language).title === undefined) remarks.push("no_translation");
    if (!(await this.#hasCover(bookId, language, all))) remarks.push("no_cover");
    return {
      book: isPublished ? presentPublicBook(row, parts, active, language) : null,
      reasons: isPublished ? [] : await this.#reasons(bookId, language, now),
      remarks,
    };
  }

  async #reasons(bookId: string, { id }: LanguageRow, now: number): Promise<BookPreview["reasons"]> {
    const rules = await this.#reads.visibility.rulesOf(bookId, id);
    const reasons: BookPreview["reasons"] = [];
    if (rules?.bookIsActive === 0) reasons.push("archived");
    if (rules?.languageIsActive === 0) reasons.push("language_inactive");
    if (!rules?.hasFile) reasons.push("no_file");
    if (rules?.isHidden) reasons.push("hidden");
    if (now < (rules?.publishAt ?? -Infinity)) reasons.push("not_yet");
    if (now >= (rules?.unpublishAt ?? Infinity)) reasons.push("no_more");
    return reasons;
  }

  /** Whether readers of the language see an uploaded cover, in any language. */
  async #hasCover(bookId: string, language: LanguageRow, all: readonly LanguageRow[]): Promise<boolean> {
    const showing = new Set(await this.#reads.publication.findLanguagesShowing(bookId));
    const substitutes = all.filter(({ id }) => showing.has(id));
    return chooseCover(await this.#reads.covers.listOfBook(bookId), language, substitutes) !== undefined;
  }
}
