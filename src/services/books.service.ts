/** Books: their titles, slugs and places in the order. */
import type { Clock } from "../adapters/clock.ts";
import type { NewId } from "../adapters/ids.ts";
import { conflict, type Fault, invalidInput } from "../errors.ts";
import { givenFields } from "../lib/objects.ts";
import { numberedSlug, slugOf } from "../lib/slug.ts";
import { foldForSearch, likePattern } from "../lib/text.ts";
import type { BookRow, BooksRepository } from "../repositories/books.repository.ts";
import type { Author } from "../repositories/change.ts";
import type { CatalogueRepositories, ChangeCatalogue, Repositories } from "../repositories/index.ts";
import { MAX_INT32 } from "../schemas/atoms.ts";
import type { AdminBook, Book, BookCreation, BookListQuery, BookUpdate } from "../schemas/books.schemas.ts";
import { offsetOf, type Pagination, paginationOf } from "../schemas/paging.ts";
import { bookById, unknownLanguage } from "./catalogue-lookup.ts";
import { presentAdminBook, presentBook, presentFile, presentTranslation } from "./presenters.ts";
import { translationRow } from "./translations.service.ts";

const STATUS_FLAGS = { active: 1, archived: 0, all: undefined } as const;

export class BooksService {
  readonly #reads: CatalogueRepositories;
  readonly #change: ChangeCatalogue;
  readonly #newId: NewId;
  readonly #clock: Clock;

  constructor(uses: { reads: CatalogueRepositories; change: ChangeCatalogue; newId: NewId; clock: Clock }) {
    this.#reads = uses.reads;
    this.#change = uses.change;
    this.#newId = uses.newId;
    this.#clock = uses.clock;
  }

  async list(query: BookListQuery): Promise<{ books: AdminBook[]; pagination: Pagination }> {
    const { books, languages } = this.#reads;
    const language =
      query.languageCode === undefined ? undefined : await languages.findByCode(query.languageCode);
    if (query.languageCode !== undefined && !language)
      return { books: [], pagination: paginationOf(query, 0) };
    const filter = {
      isActive: STATUS_FLAGS[query.status],
      searchPattern: query.search ? likePattern(query.search) : undefined,
      languageId: language?.id,
    };
    const rows = await books.list(filter, { limit: query.limit, offset: offsetOf(query) });
    const codes = await languages.codesOfBooks(rows.map((row) => row.id));
    return {
      books: rows.map((row) => presentAdminBook(row, codes.get(row.id) ?? [])),
      pagination: paginationOf(query, await books.count(filter)),
    };
  }

  async details(id: string) {
    const { books, translations, files } = this.#reads;
    return {
      book: presentBook(await bookById(books, id)),
      translations: (await translations.listOfBook(id)).map(presentTranslation),
      files: (await files.listOfBook(id)).map(presentFile),
    };
  }

  /** What a permanent deletion would take with it. */
  async deletionImpact(id: string) {
    await bookById(this.#reads.books, id);
    return { impact: await this.#reads.books.deletionImpact(id) };
  }

  create(by: Author, given: BookCreation): Promise<Book> {
    return this.#change(by, async (repositories) => {
      const id = this.#newId();
      const now = this.#clock.now();
      const { books, translations } = repositories;
      const slug = given.slug ?? (await freeSlug(books, given.titleEn, id));
      if (given.slug !== undefined) await refuseTakenSlug(books, given.slug, id);
      const description = given.description ?? "";
      await books.insert({
        id,
        slug,
        titleEn: given.titleEn,
        description,
        coverImagePath: given.coverImagePath ?? null,
        sortOrder: given.sortOrder ?? (await lastPlace(books)),
        legacyDownloadCount: given.legacyDownloadCount ?? 0,
        isActive: 1,
        archivedAt: null,
        archivedBy: null,
        searchText: searchTextOf(given.titleEn, description),
        createdAt: now,
        updatedAt: now,
      });
      const languageIds = await languagesOf(repositories, given.translations ?? []);
      for (const [index, translation] of (given.translations ?? []).entries()) {
        const languageId = languageIds[index];
        if (languageId === undefined) continue;
        await translations.insert(
          translationRow({ id: this.#newId(), bookId: id, languageId, ...translation, now }),
        );
      }
      const row = await bookById(books, id);
      const after = { ...row, translations: given.translations ?? [] };
      return { answer: presentBook(row), change: { action: "create", object: bookObject(row), after } };
    });
  }

  update(by: Author, id: string, given: BookUpdate): Promise<Book> {
    return this.#change(by, async ({ books }) => {
      const before = await bookById(books, id);
      if (given.slug !== undefined) await refuseTakenSlug(books, given.slug, id);
      const searchText = searchTextOf(
        given.titleEn ?? before.titleEn,
        given.description ?? before.description,
      );
      const updatedAt = this.#clock.now();
      const after = await books.update(id, { ...givenFields(given), searchText, updatedAt });
      return {
        answer: presentBook(after),
        change: { action: "update", object: bookObject(after), before, after },
      };
    });
  }
}

const bookObject = ({ id, titleEn }: BookRow) => ({ kind: "book", id, name: titleEn }) as const;

/** Behind all others. Books in the same place follow each other by id, and so by age: the last one is never full. */
const lastPlace = async (books: BooksRepository): Promise<number> =>
  Math.min((await books.lastSortOrder()) + 1, MAX_INT32);

const searchTextOf = (titleEn: string, description: string): string =>
  foldForSearch(`${titleEn}\n${description}`);

async function refuseTakenSlug(books: BooksRepository, slug: string, ownId: string): Promise<void> {
  const other = await books.findBySlug(slug);
  if (other && other.id !== ownId) throw conflict("slug_taken", `There is a book with the slug ${slug}.`);
}

/** The slug of a title, numbered when books have it already. */
async function freeSlug(books: BooksRepository, title: string, id: string): Promise<string> {
  const wanted = slugOf(title) || `book-${id.slice(-8)}`;
  if (!(await books.findBySlug(wanted))) return wanted;
  let number = 2;
  while (await books.findBySlug(numberedSlug(wanted, number))) number += 1;
  return numberedSlug(wanted, number);
}

/** The languages of translations, in their order; every unknown or repeated one is a fault of its own. */
async function languagesOf(
  { languages }: Repositories,
  translations: readonly { languageCode: string }[],
): Promise<number[]> {
  const faults: Fault[] = [];
  const ids: number[] = [];
  for (const [index, { languageCode }] of translations.entries()) {
    const path = `translations.${index}.languageCode`;
    const row = await languages.findByCode(languageCode);
    if (!row) faults.push(unknownLanguage(path, languageCode));
    else if (ids.includes(row.id)) {
      faults.push({ in: "body", path, message: "is given twice", code: "repeated_language" });
    } else ids.push(row.id);
  }
  if (faults.length > 0) throw invalidInput(faults);
  return ids;
}
