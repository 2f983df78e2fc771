/** An item of a bulk request by itself: what it says, and every fault that shows without looking into the catalogue. */
import { bodyFault, type Fault } from "../errors.ts";
import type { CloudLinkCheck, CloudSource } from "../lib/cloud-links.ts";
import { slugOf } from "../lib/slug.ts";
import type { BookTranslation } from "../schemas/books.schemas.ts";
import { type BulkItem, bulkItem, rightParts } from "../schemas/bulk.schemas.ts";
import type { CloudFileCreation } from "../schemas/files.schemas.ts";
import { parse } from "../schemas/parse.ts";
import { repeatedLanguage } from "./catalogue-lookup.ts";

/** A translation or a file, and where it stands in the request. */
export interface Part<T> {
  path: string;
  given: T;
}

export interface GivenItem {
  index: number;
  /** The key by which the book is found; empty when the item doesn't tell. */
  slug: string;
  /** Those of the book itself; undefined when something in the item isn't of the right shape. */
  fields: BookFields | undefined;
  /** The parts that are right in themselves, whatever else is wrong. */
  translations: readonly Part<BookTranslation>[];
  files: readonly Part<CloudFileCreation>[];
  faults: readonly Fault[];
}

export type BookFields = ReturnType<typeof bookFieldsOf>;
const bookFieldsOf = ({ slug, translations, files, ...fields }: BulkItem) => fields;

interface Reading {
  checkUrl(url: string, source: CloudSource): CloudLinkCheck;
  /** The slugs of the items so far, each with the place of the first that has it. */
  placesOfSlugs: Map<string, number>;
}

export function readItem(raw: unknown, index: number, { checkUrl, placesOfSlugs }: Reading): GivenItem {
  const path = `books.${index}`;
  const parsed = parse(bulkItem, raw, "body");
  const right = parsed.ok ? parsed.value : rightParts.parse(raw);
  const slug = right.slug ?? slugOf(right.titleEn ?? "");
  const isUntold = slug === "" && right.slug === undefined && right.titleEn !== undefined;
  const first = placesOfSlugs.get(slug);
  if (slug !== "" && first === undefined) placesOfSlugs.set(slug, index);
  const translations = partsOf(right.translations, `${path}.translations`);
  const files = partsOf(right.files, `${path}.files`).map((file) => checkedFile(file, checkUrl));
  const faults = [
    ...(parsed.ok ? [] : parsed.faults.map((fault) => faultIn(path, fault))),
    ...(isUntold ? [untoldSlug(path)] : []),
    ...(first === undefined ? [] : [repeatedSlug(path, first)]),
    ...repetitions(translations, files),
    ...files.flatMap(({ faults }) => faults),
  ];
  const fields = parsed.ok ? bookFieldsOf(parsed.value) : undefined;
  return { index, slug, fields, translations, files, faults };
}

const faultIn = (path: string, fault: Fault): Fault => ({
  ...fault,
  path: fault.path === "" ? path : `${path}.${fault.path}`,
});

/** A slug with a part of the book's id, as a single book would get it, can't be found again. */
const untoldSlug = (path: string) =>
  bodyFault(`${path}.slug`, "can't be made of this title: give one", "missing_slug");

const repeatedSlug = (path: string, first: number) =>
  bodyFault(`${path}.slug`, `is the slug of books.${first} too`, "repeated_slug");

const partsOf = <T>(given: readonly (T | undefined)[] | undefined, path: string): Part<T>[] =>
  (given ?? []).flatMap((part, index) =>
    part === undefined ? [] : [{ path: `${path}.${index}`, given: part }],
  );

/** Codes are canonical here: equal ones are spelt alike. */
function repetitions(
  translations: readonly Part<BookTranslation>[],
  files: readonly Part<CloudFileCreation>[],
): Fault[] {
  const ofLanguage = repeated(translations, ({ languageCode }) => languageCode);
  const ofFile = repeated(files, ({ languageCode, fileType }) => `${languageCode} ${fileType}`);
  return [
    ...ofLanguage.map(({ path }) => repeatedLanguage(`${path}.languageCode`)),
    ...ofFile.map(({ path }) =>
      bodyFault(`${path}.fileType`, "is given twice for its language", "repeated_file"),
    ),
  ];
}

function repeated<T>(parts: readonly Part<T>[], keyOf: (given: T) => string): Part<T>[] {
  const seen = new Set<string>();
  return parts.filter(({ given }) => seen.size === seen.add(keyOf(given)).size);
}

/** The file with its link as it is stored. */
function checkedFile({ path, given }: Part<CloudFileCreation>, checkUrl: Reading["checkUrl"]) {
  const link = checkUrl(given.cloudUrl, given.sourceType);
  return link.ok
    ? { path, given: { ...given, cloudUrl: link.url, sourceType: link.source }, faults: [] }
    : { path, given, faults: [bodyFault(`${path}.cloudUrl`, link.message, link.code)] };
}
