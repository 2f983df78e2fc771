/** The public catalogue: published books and their languages. */
import { notFound } from "../../errors.ts";
import { chooseLanguage } from "../../lib/choose-language.ts";
import type { CachedJson } from "../../lib/entity-tag.ts";
import { searchWords } from "../../lib/text.ts";
import type { BookRow } from "../../repositories/books.repository.ts";
import type { CatalogueRepositories, PublicRepositories } from "../../repositories/index.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import type { ActiveFileRow } from "../../repositories/publication.repository.ts";
import { scopeIds } from "../../repositories/publication-rules.ts";
import type {
  PublicBookDetails,
  PublicBookList,
  PublicBookListQuery,
  PublicLanguageList,
} from "../../schemas/public.schemas.ts";
import { offsetOf, paginationOf } from "../../schemas/queries.ts";
import { CachedResponses, CatalogueCache } from "../shared/catalogue-cache.ts";
import type { CatalogueScope, CatalogueVersions } from "../shared/catalogue-versions.ts";
import { Service } from "../shared/service.ts";
import { presentLanguageName, presentPublicBook, presentPublicDetails } from "./presenters.ts";
import { chooseFiles, findTexts, groupPartsByBook, selectLanguages } from "./publication-parts.ts";

const LISTS_BYTES = 16 * 1024 * 1024;
const DETAILS_BYTES = 8 * 1024 * 1024;
const LANGUAGES_BYTES = 1024 * 1024;
/** About a kilobyte each. */
const EDITIONS_FILES = 10_000;

/** A published book in one language. */
export interface Edition {
  book: BookRow;
  title: string;
  /** Empty if the book isn't published in this language. */
  files: readonly ActiveFileRow[];
}

interface PublicCatalogueServiceDeps {
  reads: CatalogueRepositories;
  versions: CatalogueVersions;
  /** Beside the event loop, for what the size of the catalogue makes slow. */
  catalogue: PublicRepositories;
}

/**
 * Responses are serialised once and cached per catalogue version, so that none is older than the last catalogue write.
 */
export class PublicCatalogueService extends Service<PublicCatalogueServiceDeps> {
  readonly #lists = new CachedResponses<PublicBookList>({ maxBytes: LISTS_BYTES });
  readonly #details = new CachedResponses<PublicBookDetails>({ maxBytes: DETAILS_BYTES });
  readonly #languageLists = new CachedResponses<PublicLanguageList>({ maxBytes: LANGUAGES_BYTES });
  readonly #editions = new CatalogueCache<Edition | undefined>({
    maxSize: EDITIONS_FILES,
    sizeCalculation: ({ files }) => files.length + 1,
  });
  /** A single entry. Nearly every public request needs it. */
  readonly #active = new CatalogueCache<readonly LanguageRow[]>({ maxSize: 1, sizeCalculation: () => 1 });

  /**
   * The published books. Without a language code, the request's host can determine the language.
   * @param admit called before a list is composed for this request
   */
  async list(
    query: PublicBookListQuery,
    host: string,
    admit?: () => Promise<void>,
  ): Promise<CachedJson<PublicBookList>> {
    const state = await this.deps.versions.readCurrent();
    const active = await this.listActiveLanguages(state);
    // The cache key contains the language, not the host, because clients can send any host.
    const language =
      query.languageCode === undefined
        ? active.find(({ customDomain }) => customDomain === host)
        : findActiveLanguage(active, query.languageCode);
    const key = JSON.stringify([language?.id, query]);
    // A search also finds the texts of other languages.
    const scope = state.scopeOf(query.search === undefined ? language?.id : undefined);
    const compose = () => this.#composeList(query, { language, active, at: state.at });
    return this.#lists.getOrCompose(scope, key, compose, { languageCode: language?.code, admit });
  }

  /** One published book in all its languages. The main texts are in the requested language if it is available. */
  async readDetails(slugOrId: string, languageCode?: string): Promise<CachedJson<PublicBookDetails>> {
    const version = await this.deps.versions.readCurrent();
    const wanted = languageCode?.toLowerCase();
    const language = (await this.listActiveLanguages(version)).find(({ codeKey }) => codeKey === wanted);
    const key = JSON.stringify([language?.id, slugOrId]);
    const compose = async () => {
      const row = await this.deps.catalogue.publication.find(slugOrId, version.at);
      if (!row) throw notFound("book_not_found", "Book not found.");
      const partsOf = await readParts(this.deps.catalogue, [row.id], { hasTexts: true, at: version.at });
      return presentPublicDetails(row, partsOf(row.id), await this.listActiveLanguages(version), language);
    };
    return this.#details.getOrCompose(version, key, compose, { languageCode: language?.code });
  }

  /** Active languages that have at least one published book. */
  async listLanguages(): Promise<CachedJson<PublicLanguageList>> {
    const version = await this.deps.versions.readCurrent();
    return this.#languageLists.getOrCompose(version, "", async () => {
      const all = await this.deps.reads.languages.list();
      const counts = await this.deps.catalogue.published.countBooksByLanguage({ at: version.at });
      const languages = all.map((language) => ({
        ...presentLanguageName(language),
        parentCode: all.find((other) => other.id === language.parentId)?.code ?? null,
        customDomain: language.customDomain,
        booksCount: counts.get(language.id) ?? 0,
      }));
      return { languages: languages.filter(({ booksCount }) => booksCount > 0) };
    });
  }

  /** Whether a language, active or not, has this host name. */
  async isCustomDomain(hostName: string): Promise<boolean> {
    return (await this.deps.reads.languages.findByDomain(hostName)) !== undefined;
  }

  /** The current version, for look-ups that belong together. */
  readVersion(): Promise<CatalogueScope> {
    return this.deps.versions.readCurrent();
  }

  /** The active language with this code; 404 for an inactive one. */
  async findActiveLanguage(code: string, version: CatalogueScope): Promise<LanguageRow> {
    return findActiveLanguage(await this.listActiveLanguages(version), code);
  }

  /** The active language with this code, or the nearest one: `es-AR` falls back to Spanish. */
  async findNearestLanguage(code: string): Promise<LanguageRow | undefined> {
    const version = await this.deps.versions.readCurrent();
    const active = await this.listActiveLanguages(version);
    const wanted = code.toLowerCase();
    const exact = active.find(({ codeKey }) => codeKey === wanted);
    if (exact) return exact;
    const nearest = chooseLanguage(
      [code],
      active.map((language) => language.code),
    );
    return active.find((language) => language.code === nearest);
  }

  /** Undefined if the book isn't published in any language. */
  async findEdition(
    slugOrId: string,
    language: LanguageRow,
    version: CatalogueScope,
  ): Promise<Edition | undefined> {
    return this.#editions.getOrCompose(version, `${language.id} ${slugOrId}`, () =>
      this.#composeEdition(slugOrId, language, version.at),
    );
  }

  async #composeEdition(slugOrId: string, language: LanguageRow, at: number): Promise<Edition | undefined> {
    const book = await this.deps.reads.publication.find(slugOrId, at);
    if (!book) return undefined;
    const parts = (await readParts(this.deps.reads, [book.id], { hasTexts: true, at }))(book.id);
    const isPublished = selectLanguages(parts, [language]).length > 0;
    return {
      book,
      title: findTexts(parts.translations, language).title ?? book.titleEn,
      files: isPublished ? chooseFiles(parts.files, language) : [],
    };
  }

  async #composeList(
    query: PublicBookListQuery,
    { language, active, at }: ListScope,
  ): Promise<PublicBookList> {
    const { catalogue } = this.deps;
    const channelId = query.channel === undefined ? undefined : await this.#findChannelId(query.channel);
    const filter = { language, channelId, search: searchWords(query.search), at };
    const page = { limit: query.limit, offset: offsetOf(query) };
    const { rows, total } = await catalogue.published.page(filter, page);
    const bookIds = rows.map((row) => row.id);
    const scope = {
      languageIds: language && scopeIds(language),
      hasTexts: language !== undefined,
      channelId,
      at,
    };
    const partsOf = await readParts(catalogue, bookIds, scope);
    return {
      books: rows.map((row) => presentPublicBook(row, partsOf(row.id), active, language)),
      pagination: paginationOf(query, total),
      language: language ? presentLanguageName(language) : null,
    };
  }

  /** From memory, at a version that was read before. */
  listActiveLanguages(version: CatalogueScope): Promise<readonly LanguageRow[]> {
    return this.#active.getOrCompose(version, "", async () => {
      const all = await this.deps.reads.languages.list();
      return all.filter((language) => language.isActive === 1);
    });
  }

  async #findChannelId(slug: string): Promise<string> {
    const channel = await this.deps.reads.publication.findChannel(slug);
    if (!channel) throw notFound("channel_not_found", "Channel not found.");
    return channel.id;
  }
}

interface ListScope {
  language: LanguageRow | undefined;
  active: readonly LanguageRow[];
  at: number;
}

interface PartsScope {
  /** The time for which the places are read. */
  at: number;
  /** The only languages whose files and texts are needed. */
  languageIds?: readonly number[] | undefined;
  /** Whether translations are needed. */
  hasTexts: boolean;
  channelId?: string | undefined;
}

/** The parts of published books; only the places on the channel, if there is one. */
export async function readParts(
  { publication, translations }: Pick<CatalogueRepositories, "publication" | "translations">,
  bookIds: readonly string[],
  { languageIds, hasTexts, channelId, at }: PartsScope,
) {
  const [files, texts, places] = await Promise.all([
    publication.listActiveFiles(bookIds, languageIds),
    hasTexts ? translations.listOfBooks(bookIds, languageIds) : [],
    publication.findPlaces(bookIds, at, channelId),
  ]);
  return groupPartsByBook({ files, translations: texts, places });
}

function findActiveLanguage(active: readonly LanguageRow[], code: string): LanguageRow {
  const wanted = code.toLowerCase();
  const language = active.find(({ codeKey }) => codeKey === wanted);
  if (!language) throw notFound("language_not_found", "Language not found.");
  return language;
}
