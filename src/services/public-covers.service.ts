/** The covers that readers see: of what is published, in the language that they read, and never none. */
import type { ImageAsker } from "../adapters/image-queue.ts";
import { notFound } from "../errors.ts";
import type { BookRow } from "../repositories/books.repository.ts";
import type { CoverRow } from "../repositories/covers.repository.ts";
import type { CatalogueRepositories } from "../repositories/index.ts";
import type { LanguageRow } from "../repositories/languages.repository.ts";
import type { PublicCoverQuery } from "../schemas/covers.schemas.ts";
import { asItStands } from "./as-it-stands.ts";
import { CatalogueCache } from "./catalogue-cache.ts";
import { coverFor, translationFor } from "./cover-fallback.ts";
import { coverTypeOf } from "./cover-presenter.ts";
import { type Accepted, coverTypeFor } from "./cover-type.ts";
import type { CoverSource, CoverVariants } from "./cover-variants.ts";
import type { Image } from "./image.ts";
import type { PublicCatalogueService } from "./public-catalogue.service.ts";
import { isHidden } from "./publication-rules.ts";

/** About half a kilobyte each. */
const KNOWN_SOURCES = 10_000;
/** A drawing of few colours and sharp edges. */
const DRAWN_AS = "image/png";

export class PublicCoversService {
  readonly #reads: CatalogueRepositories;
  readonly #catalogue: PublicCatalogueService;
  readonly #variants: CoverVariants;
  /** What each cover is made from. */
  readonly #sources = new CatalogueCache<CoverSource>({ maxWeight: KNOWN_SOURCES, weigh: () => 1 });

  constructor(uses: {
    reads: CatalogueRepositories;
    catalogue: PublicCatalogueService;
    variants: CoverVariants;
  }) {
    this.#reads = uses.reads;
    this.#catalogue = uses.catalogue;
    this.#variants = uses.variants;
  }

  /** 404 for a book that isn't published; whatever language is asked for, a published one has a cover. */
  image(slugOrId: string, query: PublicCoverQuery, accepted: Accepted, asker: ImageAsker): Promise<Image> {
    return asItStands(this.#reads.publication, async (version) => {
      const { languageCode, width } = query;
      const language =
        languageCode === undefined ? undefined : await this.#catalogue.nearestLanguage(languageCode);
      // The language and not the code is part of the key: codes are the caller's to choose.
      const source = await this.#sources.of(version, `${language?.id ?? ""} ${slugOrId}`, () =>
        this.#compose(slugOrId, language),
      );
      const contentType = coverTypeFor(source.contentType, accepted);
      return this.#variants.of(source, { width, contentType }, asker);
    });
  }

  async #compose(slugOrId: string, language: LanguageRow | undefined): Promise<CoverSource> {
    const { covers, languages, publication } = this.#reads;
    const book = await publication.find(slugOrId);
    if (!book) throw notFound("book_not_found", "There is no such book.");
    const all = await languages.list();
    const visibility = await publication.visibilityOf([book.id]);
    // What is switched off or hidden isn't shown to readers.
    const standIns = all.filter((each) => each.isActive === 1 && !isHidden(visibility, each));
    const cover = coverFor(await covers.listOfBook(book.id), language, standIns);
    return cover ? storedSource(cover) : this.#titleOf(book, language, all);
  }

  /** The title as a reader of the language sees it, in the language in which it is written. */
  async #titleOf(
    book: BookRow,
    language: LanguageRow | undefined,
    languages: readonly LanguageRow[],
  ): Promise<CoverSource> {
    const translation = translationFor(await this.#reads.translations.listOfBook(book.id), language);
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
