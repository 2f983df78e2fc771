/** The stored forms of a book's credits: lists and objects are JSON, and all names are in the searchable text. */
import type { z } from "zod";
import { toIsbn10 } from "../../lib/isbn.ts";
import { createSearchText, foldWords } from "../../lib/text.ts";
import type { BookRow } from "../../repositories/books.repository.ts";
import type { TranslatedRow } from "../../repositories/translations.repository.ts";
import {
  type Contributor,
  type ContributorGiven,
  type Credits,
  type SeriesGiven,
  storedContributors,
  storedSeries,
  storedTexts,
} from "../../schemas/credits.schemas.ts";

const EMPTY = "[]";

/** Most lists are empty: parsing each would take longer than reading its row. */
const parseList = <T>(schema: z.ZodType<T[]>, stored: string): T[] =>
  stored === EMPTY ? [] : schema.parse(JSON.parse(stored));

export const readBookCredits = ({ authors, tags, series }: Pick<BookRow, "authors" | "tags" | "series">) => ({
  authors: parseList(storedTexts, authors),
  tags: parseList(storedTexts, tags),
  series: series === null ? null : storedSeries.parse(JSON.parse(series)),
});

type CreditColumns = Pick<TranslatedRow, "authors" | "contributors" | "publisher" | "license" | "isbn">;

export const readCredits = (row: CreditColumns): Credits => ({
  authors: parseList(storedTexts, row.authors),
  contributors: parseList(storedContributors, row.contributors),
  publisher: row.publisher,
  license: row.license,
  isbn: row.isbn,
});

/** Without empty lists and missing values. */
export const readKnownCredits = (row: CreditColumns): object =>
  Object.fromEntries(
    Object.entries(readCredits(row)).filter(([, value]) => value !== null && value.length > 0),
  );

/** Names often contain commas. */
export const formatNames = (names: readonly string[]): string => names.join("; ");

/** `Ben Okoro (translator); Chen Wei` */
export const formatContributors = (contributors: readonly Contributor[]): string =>
  formatNames(contributors.map(({ name, role }) => (role === "" ? name : `${name} (${role})`)));

interface BookCreditsGiven {
  authors?: readonly string[] | undefined;
  tags?: readonly string[] | undefined;
  series?: SeriesGiven | null | undefined;
}

/** The columns of a book's credits: given values, or else those of the row. */
export const createBookCreditColumns = (
  { authors, tags, series }: BookCreditsGiven,
  before?: Pick<BookRow, "authors" | "tags" | "series">,
) => ({
  authors: authors ? JSON.stringify(authors) : (before?.authors ?? EMPTY),
  tags: tags ? JSON.stringify(tags) : (before?.tags ?? EMPTY),
  series: series === undefined ? (before?.series ?? null) : formatSeries(series),
});

const formatSeries = (series: SeriesGiven | null): string | null =>
  series && JSON.stringify({ name: series.name, position: series.position ?? null });

export interface CreditsGiven {
  authors?: readonly string[] | undefined;
  contributors?: readonly ContributorGiven[] | undefined;
  publisher?: string | undefined;
  license?: string | undefined;
  isbn?: string | undefined;
}

/** The columns of a translation's credits: given values, or else those of the row. An empty text removes a value. */
export const createCreditColumns = (given: CreditsGiven, before?: CreditColumns): CreditColumns => ({
  authors: given.authors ? JSON.stringify(given.authors) : (before?.authors ?? EMPTY),
  contributors: given.contributors
    ? JSON.stringify(given.contributors.map(({ name, role = "" }) => ({ name, role })))
    : (before?.contributors ?? EMPTY),
  publisher: (given.publisher ?? before?.publisher) || null,
  license: (given.license ?? before?.license) || null,
  isbn: (given.isbn ?? before?.isbn) || null,
});

type BookTexts = Pick<BookRow, "titleEn" | "description" | "slug" | "authors" | "tags" | "series">;

export function createBookSearchText(row: BookTexts): string {
  const { authors, tags, series } = readBookCredits(row);
  const credits = [...authors, ...tags, ...(series ? [series.name] : [])];
  return createSearchText([row.titleEn, foldWords(row.description), row.slug, ...credits]);
}

/** An ISBN is found in both forms, because books printed before 2007 have ten characters. */
export function createTranslationSearchText(row: Omit<TranslatedRow, "searchText">): string {
  const { authors, contributors, publisher, isbn } = readCredits(row);
  const numbers = isbn === null ? [] : [isbn, toIsbn10(isbn) ?? []].flat();
  const names = [...authors, ...contributors.map(({ name }) => name), publisher ?? []].flat();
  return createSearchText([row.title, foldWords(row.description ?? ""), ...names, ...numbers]);
}
