/** Examines the files that a catalogue names, and completes its books with them. */
import { createSlug } from "../../lib/slug.ts";
import type { DescribedBook } from "./catalogue-book.ts";
import type { CatalogueFolder } from "./catalogue-folder.ts";
import { examineAll } from "./examine.ts";
import { addFile } from "./folder-source.ts";
import { placeOf } from "./layout.ts";
import type { CoverFile, DerivedFrom, Failure, Library, SourceBook, SourceTranslation } from "./library.ts";
import type { SourceDeps } from "./source.ts";

/** A book none of whose files can be imported would be empty: it is skipped. */
export async function withFiles(
  files: CatalogueFolder,
  books: readonly DescribedBook[],
  deps: SourceDeps,
): Promise<Pick<Library, "books" | "skipped">> {
  const slugs = new Set<string>();
  const complete: SourceBook[] = [];
  const skipped: string[] = [];
  let done = 0;
  const total = books.reduce((sum, { book }) => sum + (book.localFiles?.length ?? 0), 0);
  deps.progress.begin("Reading metadata", total, () => done);
  for (const described of books) {
    const named = nameBook(described);
    const reason = findObjection(named.slug, slugs);
    slugs.add(named.slug);
    const { localFiles = [] } = described.book;
    if (reason !== undefined) deps.failures.push({ subject: described.place, reason });
    else {
      const book = await createSourceBook(files, described, named, deps);
      const isEmpty = localFiles.length > 0 && book.files.length + book.links.length === 0;
      if (isEmpty) skipped.push(book.slug);
      else complete.push(book);
    }
    done += localFiles.length;
  }
  return { books: complete, skipped };
}

interface Named {
  slug: string;
  name: string;
  derivedFrom: DerivedFrom | undefined;
}

function nameBook({ book: { titleEn, slug, localFiles } }: DescribedBook): Named {
  const path = localFiles?.[0]?.path ?? "";
  const name = titleEn ?? nameOf(path);
  const derivedFrom = slug === undefined ? { name, key: name } : undefined;
  return { slug: slug ?? createSlug(name), name, derivedFrom };
}

/** The name of a file without its folder, extension and language. */
const nameOf = (path: string): string => placeOf(path.replaceAll("\\", "/"), () => true).stem;

function findObjection(slug: string, slugs: ReadonlySet<string>): string | undefined {
  if (slug === "") return "No slug can be derived from its title; give it one.";
  return slugs.has(slug) ? `Two books have the slug ${slug}.` : undefined;
}

async function createSourceBook(
  folder: CatalogueFolder,
  described: DescribedBook,
  named: Named,
  deps: SourceDeps,
): Promise<SourceBook> {
  const { translations = [], files: links = [], localFiles, localCovers, ...declared } = described.book;
  const covers = await coversOf(folder, described, deps.failures);
  const book: SourceBook = { ...named, declared, translations: [], links, files: [], covers };
  const codes = await addFiles(book, folder, described, deps);
  const editions = translations.flatMap(({ path = "", languageCode = codes.get(path), ...texts }, index) => {
    const place = described.placeOf(`translations.${index}.title`) ?? described.place;
    return languageCode === undefined ? [] : [{ ...texts, languageCode, place }];
  });
  const byLanguage = Map.groupBy(editions, ({ languageCode }) => languageCode);
  return {
    ...book,
    translations: [...byLanguage.values()].flatMap(([first, ...more]) =>
      first ? [more.reduce(mergeEditions, first)] : [],
    ),
  };
}

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
  const named = [];
  for (const [index, entry] of (described.book.localFiles ?? []).entries()) {
    const subject = described.placeOf(`localFiles.${index}.path`) ?? entry.path;
    const file = await folder.find(entry.path, subject, failures);
    if (file) named.push({ entry, file: { ...file, name: entry.fileName ?? file.name } });
  }
  const candidates = named.map(({ file, entry }) => ({ file, fileType: entry.fileType }));
  const results = await examineAll(candidates, { reader, failures, remarks }, () => {});
  const codes = new Map<string, string>();
  for (const [index, { entry, file }] of named.entries()) {
    const examined = results[index];
    if (!examined) continue;
    const ofFile = examined.metadata.languageCode;
    const code = entry.languageCode ?? (ofFile && languages.resolve(ofFile));
    if (code === undefined)
      failures.push({ subject: file.place, reason: NO_LANGUAGE, code: "language_unknown" });
    else {
      codes.set(entry.path, code);
      addFile(book, { file, languageCode: code, ...examined }, failures);
    }
  }
  return codes;
}

const NO_LANGUAGE = "Its language is unknown. Name it in the catalogue.";

async function coversOf(
  folder: CatalogueFolder,
  described: DescribedBook,
  failures: Failure[],
): Promise<CoverFile[]> {
  const covers: CoverFile[] = [];
  for (const [index, { path, languageCode }] of (described.book.localCovers ?? []).entries()) {
    const subject = described.placeOf(`localCovers.${index}.path`) ?? path;
    const file = await folder.find(path, subject, failures);
    if (file) covers.push({ file, languageCode });
  }
  return covers;
}
