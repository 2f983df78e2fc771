/** Books: titles, slugs and positions in the order. */
import { conflict, type FieldError, invalidInput } from "../../errors.ts";
import { pickGivenFields } from "../../lib/collections.ts";
import { freeSlug } from "../../lib/slug.ts";
import type { BookRow, BooksRepository } from "../../repositories/books.repository.ts";
import type { Author } from "../../repositories/change.ts";
import type { Repositories } from "../../repositories/index.ts";
import type { Book, BookCreation, BookDetails, BookUpdate } from "../../schemas/books.schemas.ts";
import { presentCovers } from "../covers/presenters.ts";
import { presentFiles } from "../files/presenters.ts";
import { findBook, findNextPosition, repeatedLanguage, unknownLanguage } from "../shared/catalogue-lookup.ts";
import { createBookCreditColumns, createBookSearchText } from "../shared/credits.ts";
import { assertVersion, type ExpectedVersions } from "../shared/record-versions.ts";
import { type CatalogueDeps, Service } from "../shared/service.ts";
import { assertDates, createDateColumns } from "./book-dates.ts";
import {
  listPublishedCodes,
  presentBook,
  presentBookPublications,
  presentTranslation,
} from "./presenters.ts";
import { createTranslationRow } from "./translations.service.ts";

export class BooksService extends Service<Pick<CatalogueDeps, "reads" | "change" | "newId" | "clock">> {
  /** The ids of the books that have these slugs, by slug. */
  async findIds(slugs: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.deps.reads.books.listBySlugs(slugs);
    return new Map(rows.map(({ id, slug }) => [slug, id]));
  }

  /** The book with all that belongs to it. */
  async readDetails(id: string): Promise<BookDetails> {
    const { books, translations, files, covers, replacedBytes, ...reads } = this.deps.reads;
    const { matrix, publication, languages } = reads;
    const places = await publication.findPlaces([id], this.deps.clock.now());
    const row = await findBook(books, id);
    return {
      book: presentBook(row),
      translations: (await translations.listOfBook(id)).map(presentTranslation),
      files: presentFiles(await files.listOfBook(id), await replacedBytes.listOfFiles(id)),
      covers: presentCovers(await covers.listOfBook(id), await replacedBytes.listOfCovers(id)),
      publications: presentBookPublications(await matrix.placesOfBook(id)),
      publishedLanguages: listPublishedCodes(places, await languages.list()),
    };
  }

  create(by: Author, given: BookCreation): Promise<Book> {
    return this.deps.change(by, async (repositories) => {
      const id = this.deps.newId();
      const now = this.deps.clock.now();
      const { books, translations } = repositories;
      const isTaken = async (slug: string) => (await books.findBySlug(slug)) !== undefined;
      const slug =
        given.slug ??
        (await freeSlug(given.titleEn, { noun: "book", fallback: `book-${id.slice(-8)}` }, isTaken));
      if (given.slug !== undefined) await rejectTakenSlug(books, given.slug, id);
      assertDates(given);
      const sortOrder = given.sortOrder ?? (await findNextPosition(books));
      const row = createBookRow(given, { id, slug, sortOrder, now, by });
      await books.insert(row);
      const languageIds = await findLanguages(repositories, given.translations ?? []);
      for (const [index, translation] of (given.translations ?? []).entries()) {
        const languageId = languageIds[index];
        if (languageId === undefined) continue;
        await translations.insert(
          createTranslationRow(translation, { id: this.deps.newId(), bookId: id, languageId, now }),
        );
      }
      const after = { ...row, translations: given.translations ?? [] };
      const change = { action: "create", object: bookObject(row), after } as const;
      // It has no files yet.
      return { response: presentBook(row), change, reach: {} };
    });
  }

  update(by: Author, id: string, given: BookUpdate, expected?: ExpectedVersions): Promise<Book> {
    return this.deps.change(by, async ({ books, formerAddresses }) => {
      const before = await findBook(books, id);
      assertVersion(expected, presentBook(before));
      assertDates(given, before);
      if (given.slug !== undefined) await rejectTakenSlug(books, given.slug, id);
      const now = this.deps.clock.now();
      const after = await books.update(id, changeBook(before, given, now));
      if (after.slug !== before.slug) await formerAddresses.keepSlug(before.slug, id, now);
      return {
        response: presentBook(after),
        change: { action: "update", object: bookObject(after), before, after },
        reach: { bookId: id },
      };
    });
  }
}

async function rejectTakenSlug(books: BooksRepository, slug: string, ownId: string): Promise<void> {
  const other = await books.findBySlug(slug);
  if (other && other.id !== ownId)
    throw conflict("slug_taken", `A book with the slug “${slug}” already exists.`);
}

/**
 * The languages of the translations, in the same order. Reports a separate error for each unknown or repeated language.
 */
async function findLanguages(
  { languages }: Repositories,
  translations: readonly { languageCode: string }[],
): Promise<number[]> {
  const errors: FieldError[] = [];
  const ids: number[] = [];
  for (const [index, { languageCode }] of translations.entries()) {
    const path = `translations.${index}.languageCode`;
    const row = await languages.findByCode(languageCode);
    if (!row) errors.push(unknownLanguage(path, languageCode));
    else if (ids.includes(row.id)) errors.push(repeatedLanguage(path));
    else ids.push(row.id);
  }
  if (errors.length > 0) throw invalidInput(errors);
  return ids;
}

export const bookObject = ({ id, titleEn }: BookRow) => ({ kind: "book", id, name: titleEn }) as const;

export function createBookRow(
  given: Omit<BookUpdate, "slug" | "sortOrder"> & Pick<BookCreation, "titleEn" | "isActive">,
  { now, by, ...row }: Pick<BookRow, "id" | "slug" | "sortOrder"> & { now: number; by: Pick<Author, "name"> },
): BookRow {
  const texts = {
    slug: row.slug,
    titleEn: given.titleEn,
    description: given.description ?? "",
    ...createBookCreditColumns(given),
  };
  return {
    ...row,
    ...texts,
    coverImagePath: null,
    legacyDownloadCount: given.legacyDownloadCount ?? 0,
    ...createDateColumns(given),
    ...(given.isActive === 0
      ? { isActive: 0, archivedAt: now, archivedBy: by.name }
      : { isActive: 1, archivedAt: null, archivedBy: null }),
    searchText: createBookSearchText(texts),
    createdAt: now,
    updatedAt: now,
  };
}

/** The given fields, and the fields derived from them. */
export function changeBook(before: BookRow, update: BookUpdate, now: number) {
  // A cover path in the request is ignored: it is set by uploading a cover.
  const { coverImagePath: _, authors, tags, series, publishAt, unpublishAt, ...given } = update;
  const changed = {
    ...pickGivenFields(given),
    ...createDateColumns({ publishAt, unpublishAt }, before),
    ...createBookCreditColumns({ authors, tags, series }, before),
  };
  return { ...changed, searchText: createBookSearchText({ ...before, ...changed }), updatedAt: now };
}
