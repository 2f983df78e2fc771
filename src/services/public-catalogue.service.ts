/** The public site's view: what is published, in which languages. */
import { notFound } from "../errors.ts";
import { Lru } from "../lib/lru.ts";
import { likePattern } from "../lib/text.ts";
import { isoTime } from "../lib/time.ts";
import type { BookRow } from "../repositories/books.repository.ts";
import type { CatalogueRepositories } from "../repositories/index.ts";
import type { LanguageRow } from "../repositories/languages.repository.ts";
import { offsetOf, type Pagination, paginationOf } from "../schemas/paging.ts";
import type { PublicBook, PublicBookListQuery } from "../schemas/public.schemas.ts";
import { type CachedJson, cachedJson } from "./cached-json.ts";
import { fileTypeOf } from "./presenters.ts";
import {
  filesIn,
  languagesOf,
  type PublicationParts,
  partsByBook,
  translationIn,
} from "./publication-rules.ts";

const CACHE_BYTES = 16 * 1024 * 1024;

export interface PublicBookList {
  books: PublicBook[];
  pagination: Pagination;
  language: ReturnType<typeof presentName> | null;
}

export class PublicCatalogueService {
  readonly #reads: CatalogueRepositories;
  readonly #lists = new Lru<CachedJson<PublicBookList>>({
    maxWeight: CACHE_BYTES,
    weigh: ({ bytes }) => bytes.length,
  });

  constructor(uses: { reads: CatalogueRepositories }) {
    this.#reads = uses.reads;
  }

  /**
   * The published books as bytes that are ready to send. Without a language code the request's host may name one.
   * The catalogue's version is part of the key: a list is never older than the last catalogue write.
   */
  async list(query: PublicBookListQuery, host: string): Promise<CachedJson<PublicBookList>> {
    const version = await this.#reads.publication.catalogueVersion();
    const key = JSON.stringify([version, query.languageCode ?? { host }, query]);
    const known = this.#lists.get(key);
    if (known) return known;
    const answer = cachedJson(await this.#compose(query, host));
    this.#lists.set(key, answer);
    return answer;
  }

  /** One published book in all its languages. */
  async details(slugOrId: string) {
    const row = await this.#reads.publication.find(slugOrId);
    if (!row) throw notFound("book_not_found", "There is no such book.");
    const { active, partsOf } = await this.#partsOf([row.id]);
    const parts = partsOf(row.id);
    const translations = languagesOf(parts, active).map((language) => {
      const translation = translationIn(parts.translations, language);
      return {
        languageCode: language.code,
        title: translation?.title ?? row.titleEn,
        description: translation?.description ?? row.description,
        direction: language.direction,
      };
    });
    return { ...present(row, parts, active, undefined), translations };
  }

  /** The active languages that have something to offer. */
  async languages() {
    const all = await this.#reads.languages.list();
    const active = all.filter((language) => language.isActive === 1);
    const counted = active.map(async (language) => ({
      ...presentName(language),
      parentCode: all.find((other) => other.id === language.parentId)?.code ?? null,
      customDomain: language.customDomain,
      booksCount: await this.#reads.publication.count({ language }),
    }));
    return { languages: (await Promise.all(counted)).filter(({ booksCount }) => booksCount > 0) };
  }

  /** The active language of a code; what isn't active isn't there. */
  async activeLanguage(code: string): Promise<LanguageRow> {
    const row = await this.#reads.languages.findByCode(code);
    if (!row || row.isActive === 0) throw notFound("language_not_found", "There is no such language.");
    return row;
  }

  async #compose(query: PublicBookListQuery, host: string): Promise<PublicBookList> {
    const { publication } = this.#reads;
    const language =
      query.languageCode === undefined
        ? await this.#languageOfHost(host)
        : await this.activeLanguage(query.languageCode);
    const filter = {
      language,
      channelId: query.channel === undefined ? undefined : await this.#channelId(query.channel),
      searchPattern: query.search ? likePattern(query.search) : undefined,
    };
    const rows = await publication.list(filter, { limit: query.limit, offset: offsetOf(query) });
    const { active, partsOf } = await this.#partsOf(rows.map((row) => row.id));
    return {
      books: rows.map((row) => present(row, partsOf(row.id), active, language)),
      pagination: paginationOf(query, await publication.count(filter)),
      language: language ? presentName(language) : null,
    };
  }

  async #partsOf(bookIds: readonly string[]) {
    const { publication, translations, languages } = this.#reads;
    const partsOf = partsByBook({
      files: await publication.activeFilesOf(bookIds),
      translations: await translations.listOfBooks(bookIds),
      visibility: await publication.visibilityOf(bookIds),
    });
    return { partsOf, active: (await languages.list()).filter((language) => language.isActive === 1) };
  }

  async #languageOfHost(host: string): Promise<LanguageRow | undefined> {
    const row = host === "" ? undefined : await this.#reads.languages.findByDomain(host);
    return row?.isActive === 1 ? row : undefined;
  }

  async #channelId(slug: string): Promise<string> {
    const channel = await this.#reads.publication.findChannel(slug);
    if (!channel) throw notFound("channel_not_found", "There is no such channel.");
    return channel.id;
  }
}

const presentName = ({ id, code, name, nativeName, direction }: LanguageRow) => ({
  id,
  code,
  name,
  nativeName,
  direction,
});

/** A book in one language, or, without one, with the files of all its languages. */
function present(
  row: BookRow,
  parts: PublicationParts,
  active: readonly LanguageRow[],
  language: LanguageRow | undefined,
): PublicBook {
  const translation = language && translationIn(parts.translations, language);
  const languages = languagesOf(parts, active);
  return {
    id: row.id,
    slug: row.slug,
    titleEn: row.titleEn,
    title: translation?.title ?? row.titleEn,
    description: translation?.description ?? row.description,
    languageCode: language?.code ?? null,
    coverUrl: `/api/books/${row.slug}/cover${language ? `?languageCode=${language.code}` : ""}`,
    sortOrder: row.sortOrder,
    languages: languages.map(({ code }) => code),
    files: (language ? [language] : languages).flatMap((scope) =>
      filesIn(parts.files, scope).map((file) => ({
        id: file.id,
        languageCode: scope.code,
        fileType: fileTypeOf(file),
        fileName: file.fileName,
        fileSizeBytes: file.fileSizeBytes,
      })),
    ),
    updatedAt: isoTime(row.updatedAt),
  };
}
