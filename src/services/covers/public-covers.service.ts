/** The covers that readers see: of what is published, in the language that they read, and never none. */
import type { ImageAsker } from "../../adapters/images/image-queue.ts";
import { notFound } from "../../errors.ts";
import type { BookRow } from "../../repositories/books.repository.ts";
import type { CoverRow } from "../../repositories/covers.repository.ts";
import type { CatalogueRepositories } from "../../repositories/index.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type { TranslationRow } from "../../repositories/translations.repository.ts";
import type { PublicCoverQuery } from "../../schemas/covers.schemas.ts";
import { CatalogueCache, retryIfCatalogueChanged } from "../catalogue/catalogue-cache.ts";
import type { PublicCatalogueService } from "../catalogue/public-catalogue.service.ts";
import { type Accepted, coverTypeFor, type Image } from "../results.ts";
import type { CoverSource, CoverVariants } from "./cover-variants.ts";
import { coverTypeOf } from "./covers.service.ts";

/** About half a kilobyte each. */
const KNOWN_SOURCES = 10_000;
/** A drawing of few colours and sharp edges. */
const DRAWN_AS = "image/png";

interface PublicCoversServiceDeps {
  reads: CatalogueRepositories;
  catalogue: PublicCatalogueService;
  variants: CoverVariants;
}

export class PublicCoversService {
  readonly #deps: PublicCoversServiceDeps;
  /** What each cover is made from. */
  readonly #sources = new CatalogueCache<CoverSource>({ maxSize: KNOWN_SOURCES, sizeCalculation: () => 1 });

  constructor(deps: PublicCoversServiceDeps) {
    this.#deps = deps;
  }

  /** 404 for a book that isn't published; whatever language is asked for, a published one has a cover. */
  image(slugOrId: string, query: PublicCoverQuery, accepted: Accepted, asker: ImageAsker): Promise<Image> {
    return retryIfCatalogueChanged(this.#deps.reads.publication, async (version) => {
      const { languageCode, width } = query;
      const language =
        languageCode === undefined ? undefined : await this.#deps.catalogue.nearestLanguage(languageCode);
      // The language and not the code is part of the key: codes are the caller's to choose.
      const source = await this.#sources.of(version, `${language?.id ?? ""} ${slugOrId}`, () =>
        this.#compose(slugOrId, language),
      );
      const contentType = coverTypeFor(source.contentType, accepted);
      return this.#deps.variants.of(source, { width, contentType }, asker);
    });
  }

  async #compose(slugOrId: string, language: LanguageRow | undefined): Promise<CoverSource> {
    const { covers, languages, publication } = this.#deps.reads;
    const book = await publication.find(slugOrId);
    if (!book) throw notFound("book_not_found", "Book not found.");
    const all = await languages.list();
    const showing = new Set(await publication.languagesShowing(book.id));
    const standIns = all.filter(({ id }) => showing.has(id));
    const cover = coverFor(await covers.listOfBook(book.id), language, standIns);
    return cover ? storedSource(cover) : this.#titleOf(book, language, all);
  }

  /** The title as a reader of the language sees it, in the language in which it is written. */
  async #titleOf(
    book: BookRow,
    language: LanguageRow | undefined,
    languages: readonly LanguageRow[],
  ): Promise<CoverSource> {
    const translation = translationFor(await this.#deps.reads.translations.listOfBook(book.id), language);
    const written = languages.find(({ id }) => id === translation?.languageId);
    return {
      kind: "title",
      contentType: DRAWN_AS,
      title: translation?.title ?? book.titleEn,
      languageCode: written?.code ?? "en",
      direction: written?.direction ?? "ltr",
    };
  }
}

const storedSource = (cover: CoverRow): CoverSource => ({
  kind: "stored",
  contentType: coverTypeOf(cover),
  sha256: cover.sha256,
  fileSizeBytes: cover.fileSizeBytes,
});

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
