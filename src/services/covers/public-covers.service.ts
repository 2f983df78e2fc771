/** Public covers of published books in the reader's language, with a generated placeholder if there is no image. */
import type { QueueClient } from "../../adapters/fair-queue.ts";
import { notFound } from "../../errors.ts";
import type { CatalogueRepositories } from "../../repositories/index.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type { PublicCoverQuery } from "../../schemas/covers.schemas.ts";
import type { PublicCatalogueService } from "../catalogue/public-catalogue.service.ts";
import { CatalogueCache } from "../shared/catalogue-cache.ts";
import { type CatalogueVersions, retryIfCatalogueChanged } from "../shared/catalogue-versions.ts";
import type { Accepted, Image } from "../shared/results.ts";
import { Service } from "../shared/service.ts";
import { findCoverSource } from "./cover-choice.ts";
import { type CoverSource, type CoverVariants, chooseCoverType } from "./cover-variants.ts";

/** About half a kilobyte each. */
const KNOWN_SOURCES = 10_000;

interface PublicCoversServiceDeps {
  reads: CatalogueRepositories;
  versions: CatalogueVersions;
  catalogue: PublicCatalogueService;
  variants: CoverVariants;
}

export class PublicCoversService extends Service<PublicCoversServiceDeps> {
  /** The source of each cover. */
  readonly #sources = new CatalogueCache<CoverSource>({ maxSize: KNOWN_SOURCES, sizeCalculation: () => 1 });

  /** Throws 404 for a book that isn't published. A published book has a cover in every language. */
  readImage(
    slugOrId: string,
    query: PublicCoverQuery,
    accepted: Accepted,
    client: QueueClient,
  ): Promise<Image> {
    return retryIfCatalogueChanged(this.deps.versions, async (version) => {
      const { languageCode, width } = query;
      const language =
        languageCode === undefined ? undefined : await this.deps.catalogue.findNearestLanguage(languageCode);
      // The cache key contains the language, not the code, because clients can send any code.
      const source = await this.#sources.getOrCompose(version, `${language?.id ?? ""} ${slugOrId}`, () =>
        this.#compose(slugOrId, language, version.at),
      );
      const contentType = chooseCoverType(source.contentType, accepted);
      const image = await this.deps.variants.getImage(source, { width, contentType }, client);
      return { ...image, languageCode: language?.code };
    });
  }

  async #compose(slugOrId: string, language: LanguageRow | undefined, at: number): Promise<CoverSource> {
    const { publication } = this.deps.reads;
    const book = await publication.find(slugOrId, at);
    if (!book) throw notFound("book_not_found", "Book not found.");
    return findCoverSource(this.deps.reads, book, language, await publication.findLanguagesShowing(book.id));
  }
}
