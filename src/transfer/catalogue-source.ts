/** Makes a library of a `catalogue.json`: the body of a bulk upsert, with the paths of local files and covers. */
import { z } from "zod";
import { type FieldError, OperatorError } from "../errors.ts";
import { slugOf } from "../lib/slug.ts";
import { languageCode, optional } from "../schemas/atoms.ts";
import { bookCreation } from "../schemas/books.schemas.ts";
import { MAX_PARTS } from "../schemas/bulk.schemas.ts";
import { DEFAULT_COVER } from "../schemas/covers.schemas.ts";
import { cloudFileCreation, fileType } from "../schemas/files.schemas.ts";
import { languageCreation } from "../schemas/languages.schemas.ts";
import { parse } from "../schemas/parse.ts";
import { title } from "../schemas/translations.schemas.ts";
import { examineAll } from "./examine.ts";
import { addFile, type SourceDeps } from "./folder-source.ts";
import { placeOf } from "./layout.ts";
import type { CoverFile, Failure, Library, SourceBook } from "./library.ts";
import { fileBelow, type LocalFile, orReject } from "./local-files.ts";

/** Room for 100,000 books with a title and a file each. */
export const MAX_CATALOGUE_BYTES = 64 * 1024 * 1024;

const path = z.string().min(1).max(4096);

export const localFileEntry = z.strictObject({
  path,
  /** For readers; without it, that of the file. */
  fileName: optional(z.string().min(1).max(255)),
  /** Without it, the metadata of the file says it. */
  languageCode: optional(languageCode),
  fileType: optional(fileType),
  /** Ignored: the file itself says it. */
  fileSizeBytes: optional(z.number()),
});
export type LocalFileEntry = z.output<typeof localFileEntry>;

export const localCoverEntry = z.strictObject({
  path,
  languageCode: z.literal(DEFAULT_COVER).or(languageCode).default(DEFAULT_COVER),
});
export type LocalCoverEntry = z.output<typeof localCoverEntry>;

/**
 * A book as in a bulk upsert, with local files, whose metadata can have the title. An import fills what is empty: `null`
 * clears nothing in known books.
 */
export const catalogueBook = bookCreation.extend({
  titleEn: optional(title),
  files: optional(z.array(cloudFileCreation).max(MAX_PARTS)),
  localFiles: optional(z.array(localFileEntry)),
  localCovers: optional(z.array(localCoverEntry)),
});
export type CatalogueBook = z.output<typeof catalogueBook>;

export const catalogueLanguage = languageCreation
  .omit({ parentId: true })
  .extend({ parentCode: optional(languageCode) });

const catalogueEnvelope = z.strictObject({
  languages: optional(z.array(catalogueLanguage)),
  books: z.array(z.unknown()),
});

export interface CatalogueFile {
  /** For messages. */
  path: string;
  /** To which its paths are relative; without links. */
  folder: string;
  bytes: Buffer;
}

/**
 * A book that is described wrongly becomes a failure; the others are imported.
 * @throws OperatorError if the file isn't such a catalogue
 */
export async function catalogueLibrary(
  { path: catalogue, folder, bytes }: CatalogueFile,
  deps: SourceDeps,
): Promise<Library> {
  const envelope = parse(catalogueEnvelope, parseJson(bytes.toString("utf8"), catalogue), "body");
  if (!envelope.ok) {
    const errors = envelope.errors.map(({ path, message }) => `  ${path}: ${message}`);
    throw new OperatorError(`${catalogue} is not a catalogue:\n${errors.join("\n")}`);
  }
  const { languages, books: given } = envelope.value;
  const books = given.flatMap((book, index) => readBook(book, index, deps.failures) ?? []);
  return { languages: languages ?? [], books: await withFiles(folder, books, deps) };
}

function parseJson(text: string, catalogue: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new OperatorError(`${catalogue} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

const MAX_ERRORS = 20;

/** In one line. */
export function reasonOf(errors: readonly FieldError[]): string {
  const listed = errors.slice(0, MAX_ERRORS).map(({ path, message }) => `${path}: ${message}`);
  const more = errors.length - listed.length;
  return `${listed.join("; ")}${more > 0 ? `; and ${more} more errors` : ""}`;
}

function readBook(given: unknown, index: number, failures: Failure[]): CatalogueBook | undefined {
  const parsed = parse(catalogueBook, given, "body");
  if (parsed.ok) return parsed.value;
  failures.push({ subject: `books.${index} of the catalogue`, reason: reasonOf(parsed.errors) });
  return undefined;
}

/** Examines the files that the books name below a folder. */
export async function withFiles(
  folder: string,
  books: readonly CatalogueBook[],
  deps: SourceDeps,
): Promise<SourceBook[]> {
  const slugs = new Set<string>();
  const result: SourceBook[] = [];
  let done = 0;
  const total = books.reduce((sum, { localFiles }) => sum + (localFiles?.length ?? 0), 0);
  deps.progress.begin("Reading metadata", total, () => done);
  for (const book of books) {
    const name = book.titleEn ?? nameOf(book.localFiles?.[0]?.path ?? "");
    const slug = book.slug ?? slugOf(name);
    const reason = slug === "" ? NO_SLUG : slugs.has(slug) ? `Two books have the slug ${slug}.` : undefined;
    slugs.add(slug);
    if (reason === undefined) result.push(await sourceBook(folder, { ...book, slug, name }, deps));
    else deps.failures.push({ subject: name || "a book", reason });
    done += book.localFiles?.length ?? 0;
  }
  return result;
}

/** The name of a file without its folder, extension and language. */
const nameOf = (path: string): string => placeOf(path.replaceAll("\\", "/"), () => true).stem;

const NO_SLUG = "No slug can be derived from its title; give it one.";

async function sourceBook(
  folder: string,
  {
    translations,
    files: links,
    localFiles,
    localCovers,
    name,
    ...declared
  }: CatalogueBook & { slug: string; name: string },
  deps: SourceDeps,
): Promise<SourceBook> {
  const book: SourceBook = {
    slug: declared.slug,
    name,
    declared,
    translations: translations ?? [],
    links: links ?? [],
    files: [],
    covers: await coversOf(folder, localCovers ?? [], deps.failures),
  };
  await addFiles(book, folder, localFiles ?? [], deps);
  return book;
}

async function addFiles(
  book: SourceBook,
  folder: string,
  entries: readonly LocalFileEntry[],
  { languages, reader, failures }: SourceDeps,
): Promise<void> {
  const named = [];
  for (const entry of entries) {
    const file = await namedFile(folder, entry.path, failures);
    if (file) named.push({ entry, file: { ...file, name: entry.fileName ?? file.name } });
  }
  const candidates = named.map(({ file, entry }) => ({ file, fileType: entry.fileType }));
  const results = await examineAll(candidates, { reader, failures }, () => {});
  for (const [index, { entry, file }] of named.entries()) {
    const examined = results[index];
    if (!examined) continue;
    const ofFile = examined.metadata.languageCode;
    const code = entry.languageCode ?? (ofFile && languages.resolve(ofFile));
    if (code === undefined) failures.push({ subject: file.place, reason: NO_LANGUAGE });
    else addFile(book, { file, languageCode: code, ...examined }, failures);
  }
}

const NO_LANGUAGE = "Its language is unknown. Name it in the catalogue.";

/** Undefined if it is added to `failures`. */
const namedFile = (folder: string, path: string, failures: Failure[]): Promise<LocalFile | undefined> =>
  orReject(path, fileBelow(folder, path), (subject, reason) => failures.push({ subject, reason }));

async function coversOf(
  folder: string,
  entries: readonly LocalCoverEntry[],
  failures: Failure[],
): Promise<CoverFile[]> {
  const covers: CoverFile[] = [];
  for (const { path, languageCode: code } of entries) {
    const file = await namedFile(folder, path, failures);
    if (file) covers.push({ file, languageCode: code === DEFAULT_COVER ? undefined : code });
  }
  return covers;
}
