/** What the library shows of the published catalogue: its languages, lists and books, on the channel that it shows. */
import type { Clock } from "../../adapters/system.ts";
import { findDirection } from "../../lib/bcp47.ts";
import { compareNames } from "../../lib/collections.ts";
import { searchWords } from "../../lib/text.ts";
import type { BookPage } from "../../library/book-page.ts";
import type { LanguageLink, LanguageName, ShownBook, TextIn } from "../../library/frame.ts";
import type { Order } from "../../library/list-page.ts";
import type { BookRow } from "../../repositories/books.repository.ts";
import type { FormerCode } from "../../repositories/former-addresses.repository.ts";
import type { CatalogueRepositories, PublicRepositories } from "../../repositories/index.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import { scopeIds } from "../../repositories/publication-rules.ts";
import { readParts } from "../catalogue/public-catalogue.service.ts";
import {
  chooseCredits,
  chooseFiles,
  type PublicationParts,
  selectLanguages,
} from "../catalogue/publication-parts.ts";
import { FORMER_ADDRESSES_KEPT_MS } from "../retention.ts";
import { isSameScope } from "../shared/catalogue-cache.ts";
import type { CatalogueScope, CatalogueState } from "../shared/catalogue-versions.ts";
import { publicCoverPath } from "../shared/cover-paths.ts";
import { readBookCredits } from "../shared/credits.ts";
import { Service } from "../shared/service.ts";
import { fileTypeOf } from "../shared/stored-values.ts";

/** A language with published books. */
export interface LibraryLanguage extends LanguageLink {
  row: LanguageRow;
}

/** The languages at one version of the catalogue. */
export interface LibraryLanguages {
  /** Ordered by their own names. */
  withBooks: readonly LibraryLanguage[];
  /** All active ones, for what has no books. */
  active: readonly LanguageRow[];
  /** By the codes in lower case that languages had and none has now. */
  formerCodes: ReadonlyMap<string, FormerCode>;
}

export const BOOKS_A_PAGE = 24;
/** More parts of a series than a page should list. */
const MAX_PARTS = 100;

interface BooksScope {
  language: LanguageRow;
  channelId: string | undefined;
  /** The time for which they are read. */
  at: number;
}

interface ListQuery extends BooksScope {
  page: number;
  order: Order;
  /** What was typed. */
  typed: string;
}

interface BookScope {
  languages: LibraryLanguages;
  channelId: string | undefined;
  at: number;
}

interface LibraryCatalogueDeps {
  clock: Clock;
  reads: CatalogueRepositories;
  catalogue: PublicRepositories;
}

interface KeptCount {
  scope: CatalogueScope;
  channelId: string | undefined;
  booksCount: number;
}

export class LibraryCatalogue extends Service<LibraryCatalogueDeps> {
  /** As counted last, by language. */
  #counts: ReadonlyMap<number, KeptCount> = new Map();

  /** An inactive channel has no books for readers, as in the lists of the API. */
  async listLanguages(channelId: string | undefined, state: CatalogueState): Promise<LibraryLanguages> {
    const { languages, channels } = this.deps.reads;
    const all = await languages.list();
    const isOpen = channelId === undefined || (await channels.find(channelId))?.isActive === 1;
    const active = all.filter(({ isActive }) => isActive === 1);
    const counts = isOpen ? await this.#countBooks(active, channelId, state) : new Map<number, number>();
    const withBooks = active.flatMap((row) => {
      const booksCount = counts.get(row.id) ?? 0;
      return booksCount === 0 ? [] : [{ ...nameOfLanguage(row), booksCount, row }];
    });
    withBooks.sort((one, other) => compareNames(one.nativeName, other.nativeName));
    const former = await this.deps.reads.formerAddresses.listCodes();
    const isNow = new Set(all.map(({ codeKey }) => codeKey));
    const formerCodes = new Map(
      former.flatMap((row) => (isNow.has(row.codeKey) ? [] : [[row.codeKey, row] as const])),
    );
    return { withBooks, active, formerCodes };
  }

  /** Only the languages that the changes since the last count have reached are counted again. */
  async #countBooks(
    active: readonly LanguageRow[],
    channelId: string | undefined,
    state: CatalogueState,
  ): Promise<Map<number, number>> {
    const kept = active.flatMap(({ id }) => {
      const count = this.#counts.get(id);
      return count?.channelId === channelId && count && isSameScope(count.scope, state.scopeOf(id))
        ? [[id, count] as const]
        : [];
    });
    const counts = new Map(kept);
    const missing = active.map(({ id }) => id).filter((id) => !counts.has(id));
    const { published } = this.deps.catalogue;
    const of = { at: state.at, channelId, languageIds: missing };
    const found = missing.length === 0 ? undefined : await published.countBooksByLanguage(of);
    for (const id of missing)
      counts.set(id, { scope: state.scopeOf(id), channelId, booksCount: found?.get(id) ?? 0 });
    this.#counts = counts;
    return new Map([...counts].map(([id, { booksCount }]) => [id, booksCount]));
  }

  async readList({ language, channelId, at, page, order, typed }: ListQuery) {
    const { published } = this.deps.catalogue;
    const filter = { language, channelId, at, search: searchWords(typed || undefined) };
    const part = { limit: BOOKS_A_PAGE, offset: (page - 1) * BOOKS_A_PAGE };
    const { rows, total } = await (order === "listed"
      ? published.page(filter, part)
      : published.pageInOrder(filter, order, part));
    return { books: await this.#present(rows, { language, at }), total };
  }

  /**
   * The newest editions: a book counts from its date, or else from its first file in the language, and a replaced file isn't a
   * new one.
   */
  async listNewest(scope: BooksScope, limit: number) {
    const { published } = this.deps.catalogue;
    const { rows } = await published.pageInOrder(scope, "newest", { limit, offset: 0 });
    const ids = rows.map(({ id }) => id);
    const times = await published.readFirstTimes(ids, scope.language);
    const books = await this.#present(rows, scope);
    return rows.flatMap(({ id }, index) => {
      const book = books[index];
      const publishedAt = times.get(id);
      return book && publishedAt !== undefined ? [{ id, book, publishedAt }] : [];
    });
  }

  /** A part of the books of a language, with the times of their changes. */
  listChanges(scope: BooksScope, part: { limit: number; offset: number }) {
    return this.deps.catalogue.published.listChanges(scope, part);
  }

  /** Undefined if there is no such book in any language; `isHere` if it is published in this one. */
  async readBook(slug: string, language: LanguageRow, { languages: { active }, channelId, at }: BookScope) {
    const { publication, translations } = this.deps.reads;
    const row = await publication.find(slug, at);
    if (!row || row.slug !== slug) return undefined;
    const scope = { hasTexts: true, channelId, at };
    const partsOf = await readParts({ publication, translations }, [row.id], scope);
    const parts = partsOf(row.id);
    const languages = selectLanguages(parts, active);
    const others = languages
      .filter(({ id }) => id !== language.id)
      .map((other) => ({ language: nameOfLanguage(other), title: titleIn(row, parts, other) }));
    if (languages.length === 0) return undefined;
    return {
      isHere: languages.some(({ id }) => id === language.id),
      id: row.id,
      others,
      book: presentBook(row, parts, language),
      credits: chooseCredits(parts.translations, language, row),
    };
  }

  /** The present slug of the book that had this one, published or not. */
  findSlugAfter(slug: string): Promise<string | undefined> {
    return this.deps.reads.formerAddresses.findSlug(slug, this.#formerSince());
  }

  /** The id of the language that had this code. Nothing is read for a code that a stranger made up. */
  findLanguageAfter(code: string, { formerCodes }: LibraryLanguages): number | undefined {
    const former = formerCodes.get(code.toLowerCase());
    return former && former.leftAt >= this.#formerSince() ? former.languageId : undefined;
  }

  /** Whether the published book has this slug. */
  async isBook(id: string, slug: string): Promise<boolean> {
    return (await this.deps.reads.publication.find(id, this.deps.clock.now()))?.slug === slug;
  }

  /** The other books of a series, by their positions. */
  async listSeries(
    { id, series }: { id: string; series: string },
    scope: BooksScope,
  ): Promise<BookPage["parts"]> {
    const { published } = this.deps.catalogue;
    const rows = await published.ofSeries(scope, series, MAX_PARTS);
    const others = await this.#present(
      rows.filter((row) => row.id !== id),
      scope,
    );
    return others
      .map(({ slug, title, series: part }) => ({ slug, title, position: part?.position ?? null }))
      .sort((one, other) => (one.position ?? Infinity) - (other.position ?? Infinity) || 0);
  }

  #formerSince(): number {
    return this.deps.clock.now() - FORMER_ADDRESSES_KEPT_MS;
  }

  async #present(
    rows: readonly BookRow[],
    { language, at }: Pick<BooksScope, "language" | "at">,
  ): Promise<ShownBook[]> {
    const scope = { languageIds: scopeIds(language), hasTexts: true, at };
    const partsOf = await readParts(
      this.deps.catalogue,
      rows.map(({ id }) => id),
      scope,
    );
    return rows.map((row) => presentBook(row, partsOf(row.id), language));
  }
}

export const nameOfLanguage = ({ code, nativeName, direction }: LanguageRow): LanguageName => ({
  code,
  nativeName,
  direction,
});

function presentBook(row: BookRow, parts: PublicationParts, language: LanguageRow): ShownBook {
  const { authors } = chooseCredits(parts.translations, language, row);
  return {
    slug: row.slug,
    title: titleIn(row, parts, language),
    description: descriptionIn(row, parts, language),
    authors,
    series: readBookCredits(row).series,
    formats: chooseFiles(parts.files, language).map((file) => ({
      id: file.id,
      fileType: fileTypeOf(file),
      sizeBytes: file.fileSizeBytes,
    })),
    coverPath: `${publicCoverPath(row.slug).slice(1)}?languageCode=${language.code}`,
  };
}

/** The texts of the language, of its parent, or the English ones of the book. */
function listTexts({ translations }: PublicationParts, { id, parentId }: LanguageRow) {
  const find = (wanted: number | null) => translations.find(({ languageId }) => languageId === wanted);
  return [find(id), find(parentId)].filter((row) => row !== undefined);
}

function titleIn(row: BookRow, parts: PublicationParts, language: LanguageRow): TextIn {
  const [found] = listTexts(parts, language);
  return found ? textIn(found.title, found.languageCode, language) : textIn(row.titleEn, "en", language);
}

function descriptionIn(row: BookRow, parts: PublicationParts, language: LanguageRow): TextIn {
  const found = listTexts(parts, language).find(({ description }) => description !== null);
  return found
    ? textIn(found.description ?? "", found.languageCode, language)
    : textIn(row.description, "en", language);
}

/** An administrator can have chosen another direction for the language than its code has. */
const textIn = (text: string, code: string, language: LanguageRow): TextIn => ({
  text,
  code,
  direction: code === language.code ? language.direction : findDirection(code),
});
