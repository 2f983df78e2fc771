/** The changes that a bulk item makes to its book. Values that are already up to date aren't written again. */
import { isDeepStrictEqual } from "node:util";
import type { Schema } from "../../db/schema.ts";
import { bodyError, type FieldError } from "../../errors.ts";
import type { CloudLinkCheck, CloudSource } from "../../lib/cloud-links.ts";
import { canonicalizeTitle, createSlug } from "../../lib/slug.ts";
import type { BookRow } from "../../repositories/books.repository.ts";
import type { Author } from "../../repositories/change.ts";
import type { TranslatedRow } from "../../repositories/translations.repository.ts";
import {
  type BulkFile,
  type BulkItem,
  type BulkTranslation,
  bulkItem,
  rightParts,
} from "../../schemas/bulk.schemas.ts";
import { parse } from "../../schemas/parse.ts";
import { repeatedLanguage, unknownLanguage } from "../shared/catalogue-lookup.ts";
import { findDateErrors } from "./book-dates.ts";
import { changeBook, createBookRow } from "./books.service.ts";
import { createTranslationRow } from "./translations.service.ts";

/** A row before the change, if there was one, and after it. */
interface Upsert<Row> {
  before: Row | undefined;
  after: Row;
}

interface PartUpsert<Row> extends Upsert<Row> {
  languageCode: string;
}

export interface BulkPlan {
  /** `after` is `before` itself if the book's own fields don't change. */
  book: Upsert<BookRow>;
  translations: PartUpsert<TranslatedRow>[];
  /** If the ids differ, a link replaces an uploaded file. */
  files: PartUpsert<Schema["book_files"]>[];
}

type InLanguage<T> = T & { languageId: number };

/** A valid item with its language ids resolved. */
export interface Wanted {
  slug: string;
  fields: ReturnType<typeof settleFields>;
  translations: InLanguage<BulkTranslation>[];
  files: InLanguage<BulkFile>[];
}

/** All language codes in the item's translations and files. */
export const listCodes = ({ translations, files }: GivenItem): string[] => [
  ...new Set([...translations, ...files].map(({ given }) => given.languageCode)),
];

interface KnownRecords {
  /** Ids of languages by lower-case code. */
  languageIds: ReadonlyMap<string, number>;
  book: BookRow | undefined;
}

export function resolveItem(
  item: GivenItem,
  { languageIds: ids, book }: KnownRecords,
): Wanted | { errors: FieldError[] } {
  const errors = [
    ...item.errors,
    ...(book ? findNullErrors(item) : []),
    ...findDateErrors(item.fields ?? {}, book, `books.${item.index}.`),
  ];
  const inLanguages = <T extends { languageCode: string }>(parts: readonly Part<T>[]): InLanguage<T>[] =>
    parts.flatMap(({ path, given }) => {
      const languageId = ids.get(given.languageCode.toLowerCase());
      if (languageId !== undefined) return [{ ...given, languageId }];
      errors.push(unknownLanguage(`${path}.languageCode`, given.languageCode));
      return [];
    });
  const translations = inLanguages(item.translations);
  const files = inLanguages(item.files);
  const { slug, fields } = item;
  if (!fields || errors.length > 0) return { errors };
  return { slug, fields: settleFields(fields), translations, files };
}

/** A book with its translations and active files. */
export interface BookState {
  book: BookRow;
  translations: readonly TranslatedRow[];
  files: readonly Schema["book_files"][];
}

interface NewRowDeps {
  newId: () => string;
  now: number;
  /** Who archives a book that is made archived. */
  by: Pick<Author, "name">;
  /** The `sortOrder` of a new book. */
  position: number;
}

export function planOf(wanted: Wanted, state: BookState | undefined, newRow: NewRowDeps): BulkPlan {
  const book = planBook(wanted, state?.book, newRow);
  const bookId = book.after.id;
  const translations = wanted.translations.flatMap((given) => {
    const before = state?.translations.find(({ languageId }) => languageId === given.languageId);
    return planTranslation(before, given, { ...newRow, bookId }) ?? [];
  });
  const files = wanted.files.flatMap((given) => {
    const { languageId, fileType } = given;
    const before = state?.files.find((file) => file.languageId === languageId && file.fileType === fileType);
    return planFile(before, given, { ...newRow, bookId }) ?? [];
  });
  return { book, translations, files };
}

function planBook(
  { slug, fields }: Wanted,
  before: BookRow | undefined,
  { newId, now, position, by }: NewRowDeps,
): Upsert<BookRow> {
  const { isActive: _, ...changes } = fields;
  if (before) return { before, after: revise(before, changeBook(before, changes, now)) };
  return { before, after: createBookRow(fields, { id: newId(), slug, sortOrder: position, now, by }) };
}

function planTranslation(
  before: TranslatedRow | undefined,
  { languageId, languageCode, ...given }: InLanguage<BulkTranslation>,
  { newId, now, bookId }: NewRowDeps & { bookId: string },
): PartUpsert<TranslatedRow> | undefined {
  const after = createTranslationRow(given, { id: before?.id ?? newId(), bookId, languageId, before, now });
  return before && revise(before, after) === before ? undefined : { languageCode, before, after };
}

/** A changed link keeps its row, and so its id and download count. An uploaded file is only deactivated. */
function planFile(
  before: Schema["book_files"] | undefined,
  { languageCode, fileSizeBytes, ...given }: InLanguage<BulkFile>,
  { newId, now, bookId }: NewRowDeps & { bookId: string },
): PartUpsert<Schema["book_files"]> | undefined {
  if (before && before.cloudUrl !== null) {
    // The stored size belongs to the former link.
    const sizeNow = fileSizeBytes ?? (given.cloudUrl === before.cloudUrl ? before.fileSizeBytes : 0);
    const after = revise(before, { ...given, fileSizeBytes: sizeNow, updatedAt: now });
    return after === before ? undefined : { languageCode, before, after };
  }
  const content = { ...given, fileSizeBytes: fileSizeBytes ?? 0, sha256: null };
  const times = { createdAt: now, updatedAt: now };
  const after = { id: newId(), bookId, ...content, downloadCount: 0, isActive: 1 as const, ...times };
  return { languageCode, before, after };
}

/** The row itself if nothing but `updatedAt` would change. */
function revise<Row extends { updatedAt: number }>(before: Row, change: Partial<Row>): Row {
  const after = { ...before, ...change };
  return isDeepStrictEqual({ ...after, updatedAt: before.updatedAt }, before) ? before : after;
}

/** A translation or a file, and its path in the request. */
interface Part<T> {
  path: string;
  given: T;
}

export interface GivenItem {
  index: number;
  /** The slug that identifies the book; empty if the item has none. */
  slug: string;
  /** The title that the slug is derived from; undefined if the slug was sent. */
  derivedFrom: string | undefined;
  /** The book's own fields; undefined if the item has an invalid structure. */
  fields: GivenFields | undefined;
  /** The valid translations and files, even if other parts of the item are invalid. */
  translations: readonly Part<BulkTranslation>[];
  files: readonly Part<BulkFile>[];
  errors: readonly FieldError[];
}

type GivenFields = ReturnType<typeof bookFieldsOf>;
const bookFieldsOf = ({ slug, translations, files, ...fields }: BulkItem) => fields;

/** For a new book, `null` in a field that can't be empty is the same as leaving the field out. */
const settleFields = ({ sortOrder, legacyDownloadCount, ...fields }: GivenFields) => ({
  ...fields,
  sortOrder: sortOrder ?? undefined,
  legacyDownloadCount: legacyDownloadCount ?? undefined,
});

/** For a known book it is an error, as in an update. */
const findNullErrors = ({ index, fields }: GivenItem): FieldError[] =>
  (["sortOrder", "legacyDownloadCount"] as const)
    .filter((name) => fields?.[name] === null)
    .map((name) => bodyError(`books.${index}.${name}`, "must be a number, not null", "invalid_type"));

interface Reading {
  checkUrl(url: string, source: CloudSource): CloudLinkCheck;
  /** The first item of each slug so far, by slug. */
  firstOfSlugs: Map<string, { index: number; title: string | undefined }>;
}

export function readItem(raw: unknown, index: number, { checkUrl, firstOfSlugs }: Reading): GivenItem {
  const path = `books.${index}`;
  const parsed = parse(bulkItem, raw, "body");
  const right = parsed.ok ? parsed.value : rightParts.parse(raw);
  const title = right.titleEn;
  const slug = right.slug ?? createSlug(title ?? "");
  const derivedFrom = right.slug === undefined ? title : undefined;
  const isSlugMissing = slug === "" && derivedFrom !== undefined;
  const first = firstOfSlugs.get(slug);
  if (slug !== "" && !first) firstOfSlugs.set(slug, { index, title });
  const translations = listParts(right.translations, `${path}.translations`);
  const files = listParts(right.files, `${path}.files`).map((file) => checkFile(file, checkUrl));
  const errors = [
    ...(parsed.ok ? [] : parsed.errors.map((error) => errorIn(path, error))),
    ...(isSlugMissing ? [missingSlug(path)] : []),
    ...(first && isRepeated(derivedFrom, first.title) ? [repeatedSlug(path, first.index)] : []),
    ...findRepetitionErrors(translations, files),
    ...files.flatMap(({ errors }) => errors),
  ];
  const fields = parsed.ok ? bookFieldsOf(parsed.value) : undefined;
  return { index, slug, derivedFrom, fields, translations, files, errors };
}

/** A derived slug is only repeated together with the title. */
const isRepeated = (derivedFrom: string | undefined, first: string | undefined): boolean =>
  derivedFrom === undefined ||
  first === undefined ||
  canonicalizeTitle(first) === canonicalizeTitle(derivedFrom);

const errorIn = (path: string, error: FieldError): FieldError => ({
  ...error,
  path: error.path === "" ? path : `${path}.${error.path}`,
});

/**
 * The slug of a title without letters and digits, which is generated from the book's id as for a single book, would not
 * identify the book in the next request.
 */
const missingSlug = (path: string) =>
  bodyError(`${path}.slug`, "can't be derived from this title; send a slug", "missing_slug");

export const repeatedSlug = (path: string, first: number) =>
  bodyError(`${path}.slug`, `must not be the slug of books.${first}`, "repeated_slug");

/** @param title of the book to which the slug belongs */
export const slugOfAnotherTitle = (path: string, title: string) =>
  bodyError(
    `${path}.slug`,
    `must be sent: the one derived from the title belongs to the book “${title}”`,
    "slug_of_another_title",
  );

const listParts = <T>(given: readonly (T | undefined)[] | undefined, path: string): Part<T>[] =>
  (given ?? []).flatMap((part, index) =>
    part === undefined ? [] : [{ path: `${path}.${index}`, given: part }],
  );

/** Codes are canonical here: equal codes have equal spelling. */
function findRepetitionErrors(
  translations: readonly Part<BulkTranslation>[],
  files: readonly Part<BulkFile>[],
): FieldError[] {
  const ofLanguage = findRepeated(translations, ({ languageCode }) => languageCode);
  const ofFile = findRepeated(files, ({ languageCode, fileType }) => `${languageCode} ${fileType}`);
  return [
    ...ofLanguage.map(({ path }) => repeatedLanguage(`${path}.languageCode`)),
    ...ofFile.map(({ path }) =>
      bodyError(`${path}.fileType`, "must not occur twice for its language", "repeated_file"),
    ),
  ];
}

function findRepeated<T>(parts: readonly Part<T>[], keyOf: (given: T) => string): Part<T>[] {
  const seen = new Set<string>();
  return parts.filter(({ given }) => seen.size === seen.add(keyOf(given)).size);
}

/** The file with its link in the stored form. */
function checkFile({ path, given }: Part<BulkFile>, checkUrl: Reading["checkUrl"]) {
  const link = checkUrl(given.cloudUrl, given.sourceType);
  return link.ok
    ? { path, given: { ...given, cloudUrl: link.url, sourceType: link.source }, errors: [] }
    : { path, given, errors: [bodyError(`${path}.cloudUrl`, link.message, link.code)] };
}
