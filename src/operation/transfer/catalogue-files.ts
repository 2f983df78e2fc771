/** Examines the files that a catalogue names, and completes its books with them. */
import { createSlug } from "../../lib/slug.ts";
import type { DescribedBook } from "./catalogue-book.ts";
import type { CatalogueFolder } from "./catalogue-folder.ts";
import { examineAll } from "./examine.ts";
import type { FileCorrection } from "./file-correction.ts";
import { addFile } from "./folder-source.ts";
import { parsePlace } from "./layout.ts";
import type { CoverFile, DerivedFrom, Failure, Library, SourceBook, SourceTranslation } from "./library.ts";
import type { SourceDeps } from "./source.ts";

/** A book none of whose files can be imported would be empty: it is skipped. */
export async function withFiles(
  files: CatalogueFolder,
  described: readonly DescribedBook[],
  deps: SourceDeps,
): Promise<Pick<Library, "books" | "skipped">> {
  const slugs = new Set<string>();
  const books: SourceBook[] = [];
  const skipped: string[] = [];
  let done = 0;
  const total = described.reduce((sum, { book }) => sum + (book.localFiles?.length ?? 0), 0);
  deps.progress.begin("Reading metadata", total, () => done);
  for (const each of described) {
    const named = nameBook(each);
    const objection = findObjection(named.slug, slugs);
    slugs.add(named.slug);
    const { localFiles = [] } = each.book;
    const book = { place: each.place, slug: named.slug, titleEn: named.name };
    if (objection) deps.failures.push({ subject: each.place, ...objection, book });
    else {
      const failures: Failure[] = [];
      const complete = await createSourceBook(files, each, named, { ...deps, failures });
      deps.failures.push(...failures.map((failure) => ({ ...failure, book })));
      const isEmpty = localFiles.length > 0 && complete.files.length + complete.links.length === 0;
      if (isEmpty) skipped.push(complete.slug);
      else books.push(complete);
    }
    done += localFiles.length;
  }
  return { books, skipped };
}

interface Named {
  slug: string;
  name: string;
  derivedFrom: DerivedFrom | undefined;
}

function nameBook({ book: { titleEn, slug, localFiles } }: DescribedBook): Named {
  const path = localFiles?.[0]?.path ?? "";
  const name = titleEn ?? stemOf(path);
  const derivedFrom = slug === undefined ? { name, key: name } : undefined;
  return { slug: slug ?? createSlug(name), name, derivedFrom };
}

/** The name of a file without its folder, extension and language. */
const stemOf = (path: string): string => parsePlace(path.replaceAll("\\", "/"), () => true).stem;

function findObjection(
  slug: string,
  slugs: ReadonlySet<string>,
): Pick<Failure, "reason" | "problem"> | undefined {
  if (slug === "")
    return { problem: "missing_slug", reason: "No slug can be derived from its title; give it one." };
  return slugs.has(slug)
    ? { problem: "repeated_slug", reason: `Two books have the slug ${slug}.` }
    : undefined;
}

async function createSourceBook(
  folder: CatalogueFolder,
  described: DescribedBook,
  named: Named,
  deps: SourceDeps,
): Promise<SourceBook> {
  const { translations = [], files: links = [], localFiles, localCovers, ...declared } = described.book;
  const covers = await coversOf(folder, described, deps.failures);
  const { place } = described;
  const book: SourceBook = { ...named, place, declared, translations: [], links, files: [], covers };
  const codes = await addFiles(book, folder, described, deps);
  const editions = translations.flatMap(({ path = "", languageCode = codes.get(path), ...texts }, index) => {
    const place = described.cellOf(`translations.${index}.title`)?.place ?? described.place;
    return languageCode === undefined ? [] : [{ ...texts, languageCode, place }];
  });
  const byLanguage = Map.groupBy(editions, ({ languageCode }) => languageCode);
  const titles = new Map(
    book.files.flatMap(({ languageCode, file: { correction } }) =>
      correction?.title === undefined ? [] : [[languageCode, correction.title]],
    ),
  );
  return {
    ...book,
    translations: [...byLanguage.values()].flatMap(([first, ...more]) =>
      first ? [withTitle(more.reduce(mergeEditions, first), titles)] : [],
    ),
  };
}

/** Corrected titles come before those of the catalogue. */
const withTitle = (edition: SourceTranslation, titles: ReadonlyMap<string, string>): SourceTranslation => ({
  ...edition,
  title: titles.get(edition.languageCode) ?? edition.title,
});

/** An edition can be described in the rows of several files. */
const mergeEditions = (one: SourceTranslation, other: SourceTranslation): SourceTranslation => ({
  ...one,
  title: one.title ?? other.title,
  description: one.description ?? other.description,
  authors: one.authors ?? other.authors,
  contributors: one.contributors ?? other.contributors,
  publisher: one.publisher ?? other.publisher,
  license: one.license ?? other.license,
  isbn: one.isbn ?? other.isbn,
});

/** @returns the languages of the files, by the path in the catalogue */
async function addFiles(
  book: SourceBook,
  folder: CatalogueFolder,
  described: DescribedBook,
  { languages, reader, failures, remarks }: SourceDeps,
): Promise<Map<string, string>> {
  const named = await findNamed(folder, described, failures);
  book.chosen = named.find(({ file }) => file.correction?.book !== undefined)?.file.correction?.book;
  const candidates = named.map(({ file, entry }) => ({
    file,
    fileType: file.correction?.fileType ?? entry.fileType,
  }));
  const results = await examineAll(candidates, { reader, failures, remarks }, () => {});
  const codes = new Map<string, string>();
  for (const [index, { entry, line, file }] of named.entries()) {
    const examined = results[index];
    if (!examined) continue;
    const ofFile = examined.metadata.languageCode;
    const said = entry.languageCode ?? (ofFile && languages.resolve(ofFile));
    const code = file.correction?.languageCode ?? said;
    if (code === undefined) failures.push(describeUnknownLanguage(file.place, line));
    else {
      codes.set(entry.path, code);
      addFile(book, { file, languageCode: code, ...examined }, failures);
    }
  }
  return codes;
}

/** The files that a catalogue names, without those that a correction leaves out. */
async function findNamed(folder: CatalogueFolder, described: DescribedBook, failures: Failure[]) {
  const named = [];
  for (const [index, entry] of (described.book.localFiles ?? []).entries()) {
    const cell = described.cellOf(`localFiles.${index}.path`);
    const file = await findNamedFile(folder, entry.path, cell, failures);
    if (!file || file.correction?.leaveOut === true) continue;
    const correction = { ...correctionOf(entry, described), ...file.correction };
    named.push({
      entry,
      line: cell?.at.line,
      file: { ...file, name: entry.fileName ?? file.name, correction },
    });
  }
  return named;
}

type NamedFile = NonNullable<DescribedBook["book"]["localFiles"]>[number];

/** What a catalogue decides otherwise than by the rules, which keep what a known book has. */
function correctionOf(
  { replace, path, languageCode }: NamedFile,
  { book: { translations = [] } }: DescribedBook,
): FileCorrection {
  const isOfFile = (each: (typeof translations)[number]) =>
    languageCode === undefined ? each.path === path : each.languageCode === languageCode;
  const title = replace?.includes("title") ? translations.find(isOfFile)?.title : undefined;
  return {
    ...(replace?.includes("file") && { leaveOut: false }),
    ...(title !== undefined && { title }),
  };
}

const describeUnknownLanguage = (path: string, line: number | undefined): Failure => ({
  subject: path,
  reason: NO_LANGUAGE,
  code: "language_unknown",
  problem: "language_unknown",
  path,
  cell: line === undefined ? undefined : { line, column: "language" },
});

/** A file that is missing is an error of the cell that names it. */
async function findNamedFile(
  folder: CatalogueFolder,
  path: string,
  cell: ReturnType<DescribedBook["cellOf"]>,
  failures: Failure[],
) {
  const found: Failure[] = [];
  const file = await folder.find(path, cell?.place ?? path, found);
  failures.push(...found.map((failure) => ({ ...failure, problem: "file_missing", cell: cell?.at, path })));
  return file;
}

const NO_LANGUAGE = "Its language is unknown. Name it in the catalogue.";

async function coversOf(
  folder: CatalogueFolder,
  described: DescribedBook,
  failures: Failure[],
): Promise<CoverFile[]> {
  const covers: CoverFile[] = [];
  for (const [index, { path, languageCode }] of (described.book.localCovers ?? []).entries()) {
    const cell = described.cellOf(`localCovers.${index}.path`);
    const file = await findNamedFile(folder, path, cell, failures);
    if (file) covers.push({ file, languageCode });
  }
  return covers;
}
