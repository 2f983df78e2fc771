/** Public covers of published books in the reader's language, with a generated placeholder if there is no image. */
import type { ImageClient } from "../../adapters/images/image-queue.ts";
import { notFound } from "../../errors.ts";
import type { BookRow } from "../../repositories/books.repository.ts";
import type { CoverRow } from "../../repositories/covers.repository.ts";
import type { CatalogueRepositories } from "../../repositories/index.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import { scopeIds } from "../../repositories/publication-rules.ts";
import type { TranslationRow } from "../../repositories/translations.repository.ts";
import type { PublicCoverQuery } from "../../schemas/covers.schemas.ts";
import type { PublicCatalogueService } from "../catalogue/public-catalogue.service.ts";
import { CatalogueCache } from "../shared/catalogue-cache.ts";
import { type CatalogueVersions, retryIfCatalogueChanged } from "../shared/catalogue-versions.ts";
import type { Accepted, Image } from "../shared/results.ts";
import type { CoverSource, CoverVariants } from "./cover-variants.ts";
import { chooseCoverType } from "./cover-variants.ts";
import { coverTypeOf } from "./covers.service.ts";

/** About half a kilobyte each. */
const KNOWN_SOURCES = 10_000;
/** Suits drawings with few colours and sharp edges. */
const PLACEHOLDER_TYPE = "image/png";

interface PublicCoversServiceDeps {
  reads: CatalogueRepositories;
  versions: CatalogueVersions;
  catalogue: PublicCatalogueService;
  variants: CoverVariants;
}

export class PublicCoversService {
  readonly #deps: PublicCoversServiceDeps;
  /** The source of each cover. */
  readonly #sources = new CatalogueCache<CoverSource>({ maxSize: KNOWN_SOURCES, sizeCalculation: () => 1 });

  constructor(deps: PublicCoversServiceDeps) {
    this.#deps = deps;
  }

  /** Throws 404 for a book that isn't published. A published book has a cover in every language. */
  readImage(
    slugOrId: string,
    query: PublicCoverQuery,
    accepted: Accepted,
    client: ImageClient,
  ): Promise<Image> {
    return retryIfCatalogueChanged(this.#deps.versions, async (version) => {
      const { languageCode, width } = query;
      const language =
        languageCode === undefined ? undefined : await this.#deps.catalogue.findNearestLanguage(languageCode);
      // The cache key contains the language, not the code, because clients can send any code.
      const source = await this.#sources.getOrCompose({ version }, `${language?.id ?? ""} ${slugOrId}`, () =>
        this.#compose(slugOrId, language),
      );
      const contentType = chooseCoverType(source.contentType, accepted);
      const image = await this.#deps.variants.getImage(source, { width, contentType }, client);
      return { ...image, languageCode: language?.code };
    });
  }

  async #compose(slugOrId: string, language: LanguageRow | undefined): Promise<CoverSource> {
    const { covers, languages, publication } = this.#deps.reads;
    const book = await publication.find(slugOrId);
    if (!book) throw notFound("book_not_found", "Book not found.");
    const all = await languages.list();
    const showing = new Set(await publication.findLanguagesShowing(book.id));
    const substitutes = all.filter(({ id }) => showing.has(id));
    const cover = chooseCover(await covers.listOfBook(book.id), language, substitutes);
    return cover ? storedSource(cover) : this.#findTitle(book, language, all);
  }

  /** The title that readers of the language see, and the language of that title. */
  async #findTitle(
    book: BookRow,
    language: LanguageRow | undefined,
    languages: readonly LanguageRow[],
  ): Promise<CoverSource> {
    const translation = chooseTranslation(await this.#deps.reads.translations.listOfBook(book.id), language);
    const written = languages.find(({ id }) => id === translation?.languageId);
    return {
      kind: "title",
      contentType: PLACEHOLDER_TYPE,
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
export const chooseTranslation = (
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
