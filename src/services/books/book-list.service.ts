/** The list of books for administrators. */
import type { Clock } from "../../adapters/system.ts";
import { type FieldError, invalidInput } from "../../errors.ts";
import { formatZonedTime } from "../../lib/calendar.ts";
import { splitIntoBatches } from "../../lib/collections.ts";
import { searchWords } from "../../lib/text.ts";
import type {
  BookListFilter,
  BookOrdering,
  BooksListQuery,
  BookWithCounts,
} from "../../repositories/books-list.ts";
import type { CatalogueRepositories } from "../../repositories/index.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import {
  type AdminBook,
  BOOK_COLUMNS,
  BOOK_SORTS,
  type BookExportQuery,
  type BookFilterQuery,
  type BookListQuery,
  CREDIT_FILTERS,
} from "../../schemas/book-list.schemas.ts";
import type { FieldErrorCode } from "../../schemas/error-codes.ts";
import { offsetOf, type Pagination, paginationOf } from "../../schemas/queries.ts";
import { unknownLanguage } from "../shared/catalogue-lookup.ts";
import { formatNames } from "../shared/credits.ts";
import { type CsvCell, type CsvDocument, csvOptionsOf, formatExportName } from "../shared/results.ts";
import { Service } from "../shared/service.ts";
import { listPublishedCodes, presentAdminBook } from "./presenters.ts";

const STATUS_FLAGS = { active: 1, archived: 0, all: undefined } as const;

/** Each spelling is a parameter of the statement. */
const MAX_SPELLINGS = 200;

/** Books of the export that are read at once. */
const EXPORTED_AT_ONCE = 200;

interface BookListServiceDeps {
  clock: Clock;
  /** On a worker thread, because filters and orders read all books. */
  report: Pick<CatalogueRepositories, "languages" | "channels" | "publication"> & {
    booksList: BooksListQuery;
  };
}

export class BookListService extends Service<BookListServiceDeps> {
  async list(query: BookListQuery): Promise<{ books: AdminBook[]; pagination: Pagination }> {
    const languages = await this.deps.report.languages.list();
    const filter = await this.#filterOf(query, languages);
    if (!filter) return { books: [], pagination: paginationOf(query, 0) };
    const page = { limit: query.limit, offset: offsetOf(query) };
    const { rows, total } = await this.deps.report.booksList.list(filter, orderingOf(query), page);
    return { books: await this.#present(rows, languages), pagination: paginationOf(query, total) };
  }

  /** All books of a list, in its order; those that are deleted meanwhile are left out. */
  async export(query: BookExportQuery): Promise<CsvDocument> {
    const languages = await this.deps.report.languages.list();
    const filter = await this.#filterOf(query, languages);
    const ids = filter ? await this.deps.report.booksList.listIds(filter, orderingOf(query)) : [];
    return {
      fileName: nameExport(query, this.deps.clock.now()),
      columns: BOOK_COLUMNS,
      pages: this.#readPages(ids, languages, query.timezone),
      ...csvOptionsOf(query),
    };
  }

  async *#readPages(ids: readonly string[], languages: readonly LanguageRow[], timezone: string | undefined) {
    for (const some of splitIntoBatches(ids, EXPORTED_AT_ONCE)) {
      const books = await this.#present(await this.deps.report.booksList.findAll(some), languages);
      yield books.map((book) => formatBook(book, timezone));
    }
  }

  /** Undefined for `languageCode` of an unknown language, in which no book is. @throws AppError 400 with all errors */
  async #filterOf(
    query: BookFilterQuery,
    languages: readonly LanguageRow[],
  ): Promise<BookListFilter | undefined> {
    const errors: FieldError[] = [];
    const languageIn = (path: "publishedIn" | "missingIn") => {
      const code = query[path];
      const language = languageOf(languages, code);
      if (code !== undefined && !language) errors.push(unknownLanguage(path, code, "query"));
      return language;
    };
    const published = languageIn("publishedIn");
    const missingIn = languageIn("missingIn");
    const channel =
      query.channel === undefined ? undefined : await this.deps.report.channels.findBySlug(query.channel);
    if (query.channel !== undefined && !channel)
      errors.push(queryError("channel", "does not exist", "unknown_channel"));
    const credits = await this.#creditsOf(query, errors);
    if (errors.length > 0) throw invalidInput(errors);
    const language = languageOf(languages, query.languageCode);
    const at = this.deps.clock.now();
    if (query.languageCode !== undefined && !language) return undefined;
    return {
      isActive: STATUS_FLAGS[query.status],
      search: searchWords(query.search),
      languageId: language?.id,
      published: published || channel ? { language: published, channelId: channel?.id, at } : undefined,
      missing: query.missing && { part: query.missing, language: missingIn },
      credits,
      updatedFrom: query.updatedSince,
    };
  }

  async #creditsOf(query: BookFilterQuery, errors: FieldError[]) {
    const credits: NonNullable<BookListFilter["credits"]>[number][] = [];
    for (const filter of CREDIT_FILTERS) {
      const value = query[filter];
      if (value === undefined) continue;
      const spellings = await this.deps.report.booksList.spellingsOf(filter, value, MAX_SPELLINGS + 1);
      if (spellings.length > MAX_SPELLINGS) {
        const message = `has more than ${MAX_SPELLINGS} spellings; use search instead`;
        errors.push(queryError(filter, message, "too_many_spellings"));
      }
      credits.push({ filter, spellings });
    }
    return credits;
  }

  async #present(rows: readonly BookWithCounts[], languages: readonly LanguageRow[]): Promise<AdminBook[]> {
    const { report, clock } = this.deps;
    const ids = rows.map(({ id }) => id);
    const used = await report.languages.findCodesOfBooks(ids);
    const types = await report.booksList.fileTypesOf(ids);
    const found = await report.publication.findPlaces(ids, clock.now());
    const places = Map.groupBy(found, ({ bookId }) => bookId);
    return rows.map((row) =>
      presentAdminBook(row, {
        languages: used.get(row.id) ?? [],
        fileTypes: types.get(row.id) ?? [],
        publishedLanguages: listPublishedCodes(places.get(row.id) ?? [], languages),
      }),
    );
  }
}

const languageOf = (languages: readonly LanguageRow[], code: string | undefined): LanguageRow | undefined =>
  code === undefined ? undefined : languages.find(({ codeKey }) => codeKey === code.toLowerCase());

const queryError = (path: string, message: string, code: FieldErrorCode): FieldError => ({
  in: "query",
  path,
  message,
  code,
});

function orderingOf({ sort = "sortOrder" }: BookFilterQuery): BookOrdering {
  const isDescending = sort.startsWith("-");
  const by = BOOK_SORTS.find((each) => each === (isDescending ? sort.slice(1) : sort)) ?? "sortOrder";
  return { by, isDescending };
}

/** `books-without-file-fr-2026-11-28.csv`: what is missing is what such a list is made for. */
function nameExport({ missing, missingIn, status, sort: _, ...query }: BookExportQuery, now: number): string {
  const language = missingIn === undefined ? "" : `-${missingIn}`;
  const contents = missing && `without-${missing}${language}`;
  const filters = status === "all" ? query : { ...query, status };
  return formatExportName("books", filters, now, contents);
}

/** A record for the columns. */
function formatBook(book: AdminBook, timezone: string | undefined): CsvCell[] {
  const { authors, tags, series, languages, publishedLanguages, fileTypes } = book;
  const timeOf = (iso: string) => formatZonedTime(Date.parse(iso), timezone);
  const formatted: Record<(typeof BOOK_COLUMNS)[number], CsvCell> = {
    ...book,
    createdAt: timeOf(book.createdAt),
    updatedAt: timeOf(book.updatedAt),
    publishAt: book.publishAt && timeOf(book.publishAt),
    unpublishAt: book.unpublishAt && timeOf(book.unpublishAt),
    authors: formatNames(authors),
    tags: formatNames(tags),
    series: series?.name ?? null,
    seriesPosition: series?.position ?? null,
    languages: formatNames(languages),
    publishedLanguages: formatNames(publishedLanguages),
    fileTypes: formatNames(fileTypes),
    hasCover: String(book.hasCover),
  };
  return BOOK_COLUMNS.map((column) => formatted[column]);
}
