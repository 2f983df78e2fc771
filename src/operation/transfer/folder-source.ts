/** Makes a library of a folder without a catalogue, grouping files by paths and metadata. */
import { findLanguageNames } from "../../lib/bcp47.ts";
import { createFormerFolderSlug, createFormerSlug, createSlug } from "../../lib/slug.ts";
import { foldForSearch } from "../../lib/text.ts";
import { findFileType } from "../../schemas/file-types.ts";
import { NEW_BOOK } from "../../schemas/import-corrections.schemas.ts";
import type { Grouping } from "../../schemas/import-rules.schemas.ts";
import { areDifferentBooks } from "./different-books.ts";
import { examinePlaced, type Placed } from "./file-languages.ts";
import { findIdentical } from "./identical-files.ts";
import { type Books, groupIntoBooks, listCodes, parsePlace, removeExtension } from "./layout.ts";
import type { BookFile, CoverFile, Failure, Library, SourceBook } from "./library.ts";
import type { LocalFile } from "./local-files.ts";
import type { Remark, RemarkKind } from "./remarks.ts";
import type { SourceDeps } from "./source.ts";

export interface FolderOptions {
  grouping: Grouping;
  /** For files whose language neither path nor metadata says. */
  languageCode: string | undefined;
  /** Whether files are imported of which the service, or another one of them, has the bytes. */
  keepsKnown?: boolean;
}

export const COVER = /\.(?:jpe?g|png|webp)$/i;
/** The names of covers that are those of their folder. */
const FOLDER_COVER = /^(?:cover|folder)$/i;
/** Texts about a collection are no books. */
export const ABOUT = /^(?:readme|licen[cs]e|copying|credits|changelog|notice)\.(?:txt|html?)$/i;

export async function readFolderLibrary(
  files: readonly LocalFile[],
  options: FolderOptions,
  deps: SourceDeps,
): Promise<Library> {
  const { languages, failures, remarks } = deps;
  const { covers, ...sorted } = sortFiles(files, remarks);
  const identical = options.keepsKnown ? new Map<LocalFile, LocalFile>() : await findCopies(sorted.books);
  remarks.push(...Array.from(identical, ([{ place }, original]) => remarkOnCopy(place, original)));
  const books = sorted.books.filter((file) => !identical.has(file));
  await languages.learn([...books, ...covers].flatMap(({ place }) => listCodes(place)));
  const locate = (file: LocalFile): Placed => ({
    file,
    place: parsePlace(file.place, (code) => languages.isKnown(code)),
  });
  const { examined, settle } = await examinePlaced(books.map(locate), options.languageCode, deps);
  const placedCovers = covers.map(locate).map(({ file, place }) => ({ file, place: settle(place) }));
  const grouped = groupFiles(examined, placedCovers, options.grouping, deps);
  return { languages: [], books: removeRepetitions(grouped, failures), skipped: [], identical };
}

function groupFiles(
  files: readonly (BookFile & Placed)[],
  covers: readonly Placed[],
  grouping: Grouping,
  { failures, remarks }: SourceDeps,
): ReadonlyMap<string, SourceBook> {
  const ofFolders = covers.filter(({ place }) => FOLDER_COVER.test(place.stem));
  const withCover = new Set(ofFolders.map(({ place }) => place.folders.join("/")));
  const { keyOf, mixed } = groupIntoBooks(files, grouping, withCover);
  remarks.push(...mixed.map(remarkOnFolder));
  const books = new Map<string, SourceBook>();
  const byUsualKey = new Map<string, SourceBook>();
  for (const file of files) {
    const { book: chosen } = file.file.correction ?? {};
    const usual = keyOf(file.place);
    const ofChoice = createKey(usual, chosen);
    const isOther = isOfAnotherBook(file, books.get(ofChoice));
    const key = isOther ? removeExtension(file.file.place) : ofChoice;
    const book = books.get(key) ?? { ...createEmptyBook(isOther ? key : usual), chosen };
    books.set(key, book);
    byUsualKey.set(usual, byUsualKey.get(usual) ?? book);
    addFile(book, file, failures);
  }
  for (const cover of covers) {
    if (!addCover(byUsualKey, keyOf, cover)) remarks.push({ kind: "noBook", subject: cover.file.place });
  }
  return books;
}

/** Files for which one book was chosen are together, and apart from others of their name. */
function createKey(usual: string, chosen: string | undefined): string {
  if (chosen === undefined) return usual;
  return chosen === NEW_BOOK ? `${usual}\n${chosen}` : `\n${chosen}`;
}

/** Whether another file has its place in the book of its name, and is of a different book. */
const isOfAnotherBook = (file: BookFile, book: SourceBook | undefined): boolean => {
  const known = book && findInPlace(book, file);
  return known !== undefined && areDifferentBooks([known], [file]);
};

const findInPlace = ({ files }: SourceBook, { languageCode, fileType }: BookFile): BookFile | undefined =>
  files.find((each) => each.languageCode === languageCode && each.fileType === fileType);

/** Files of other types, and texts about the collection, become remarks. */
function sortFiles(files: readonly LocalFile[], remarks: Remark[]) {
  const books: LocalFile[] = [];
  const covers: LocalFile[] = [];
  for (const file of files) {
    const { name, place } = file;
    const leaveOut = (kind: RemarkKind) => remarks.push({ kind, subject: place });
    const { languageCode, fileType, book } = file.correction ?? {};
    if (languageCode !== undefined || fileType !== undefined || book !== undefined) books.push(file);
    else if (ABOUT.test(name)) leaveOut("about");
    else if (findFileType(name) !== undefined) books.push(file);
    else if (COVER.test(name)) covers.push(file);
    else leaveOut("otherType");
  }
  return { books, covers };
}

/** Without those that somebody has asked for. */
const findCopies = (books: readonly LocalFile[]): Promise<Map<LocalFile, LocalFile>> =>
  findIdentical(books.filter(({ correction }) => correction?.leaveOut !== false));

const remarkOnCopy = (subject: string, { place }: LocalFile): Remark => ({
  kind: "identical",
  subject,
  detail: `identical to ${place}`,
});

const remarkOnFolder = ({ folder, names, isOneBook }: Books["mixed"][number]): Remark => ({
  kind: isOneBook ? "joined" : "separate",
  subject: folder,
  detail: `${names} names`,
});

const createEmptyBook = (key: string): SourceBook => {
  const name = key.slice(key.lastIndexOf("/") + 1);
  const slug = createSlug(name) || createFormerFolderSlug(key);
  const common = { declared: {}, translations: [], links: [], files: [], covers: [] };
  return { slug, derivedFrom: { name, key }, name, ...common };
};

export function addFile(book: SourceBook, file: BookFile, failures: Failure[]): void {
  const { languageCode, fileType } = file;
  const known = findInPlace(book, file);
  if (!known) book.files.push(file);
  else {
    const reason = `The book ${book.slug} already has ${known.file.place} as its ${fileType} in ${languageCode}.`;
    failures.push({ subject: file.file.place, reason, code: "format_taken", by: known.file.place });
  }
}

/**
 * A cover has the name of the book, or is `cover` in a folder of the book.
 * @returns whether it is the cover of a book
 */
function addCover(
  books: ReadonlyMap<string, SourceBook>,
  keyOf: Books["keyOf"],
  { file, place }: Placed,
): boolean {
  const ofFolder = place.folders.join("/");
  const book = books.get(keyOf(place)) ?? (FOLDER_COVER.test(place.stem) && books.get(ofFolder));
  const cover: CoverFile = { file, languageCode: place.languageCode };
  const isFirst = book && !book.covers.some(({ languageCode }) => languageCode === cover.languageCode);
  if (isFirst) book.covers.push(cover);
  return Boolean(isFirst);
}

/**
 * Two books with equal names would become one. The one with the shortest path has the name; another one has its folders in
 * its slug if it certainly is a different book, and is left out otherwise.
 * @param books by key
 */
function removeRepetitions(books: ReadonlyMap<string, SourceBook>, failures: Failure[]): SourceBook[] {
  const byName = Map.groupBy(books, ([, book]) => repetitionKey(book));
  const taken = new Set(Array.from(books.values(), ({ slug }) => slug));
  const kept = [...byName.values()].flatMap((same) => {
    const [first, ...others] = same.toSorted(([, one], [, other]) => lengthOf(one) - lengthOf(other));
    if (!first) return [];
    const separate: SourceBook[] = [first[1]];
    for (const [key, book] of others) {
      const equal = separate.find(
        (each) =>
          each.chosen === book.chosen &&
          haveEqualNames(each, book) &&
          !areDifferentBooks(each.files, book.files),
      );
      if (equal) failures.push(describeRepetition(book, equal));
      else {
        const paths = [key, removeExtension(listPlaces(book)[0] ?? "")];
        separate.push({ ...book, slug: createFreeSlug(paths, taken) });
      }
    }
    return separate;
  });
  return kept.sort((one, other) => (one.slug < other.slug ? -1 : 1));
}

/** Slugs drop signs, and all behind 80 characters, such as the year of a report. */
const haveEqualNames = (one: SourceBook, other: SourceBook): boolean =>
  foldName(one.name) === foldName(other.name);
const foldName = (name: string): string =>
  foldForSearch(name)
    .replace(/[-_\s]+/g, " ")
    .trim();

const listPlaces = ({ files }: SourceBook): string[] => files.map(({ file }) => file.place);
const lengthOf = (book: SourceBook): number => listPlaces(book)[0]?.length ?? 0;

/** The slug of the first path that has one which is free. @param taken receives it */
function createFreeSlug(paths: readonly string[], taken: Set<string>): string {
  const slugs = paths.map((path) => createSlug(path.replaceAll("/", " ")));
  const free =
    slugs.find((slug) => slug !== "" && !taken.has(slug)) ?? createFormerFolderSlug(paths.join(" "));
  taken.add(free);
  return free;
}

function describeRepetition(book: SourceBook, equal: SourceBook): Failure {
  const [by = ""] = listPlaces(equal);
  const places = listPlaces(book);
  const subject = places.join(", ");
  const several = places.length > 1 && { places };
  const detail = [`as ${by}`, ...describeSameEditions(book, equal)].join(", ");
  return { subject, ...several, reason: SAME_NAME, detail, code: "name_taken", by };
}

/** `both Spanish` for files that can't be in one book beside each other. */
function describeSameEditions(book: SourceBook, equal: SourceBook): string[] {
  const codes = book.files.flatMap((file) => (findInPlace(equal, file) ? file.languageCode : []));
  const names = [...new Set(codes)].map((code) => findLanguageNames(code).name);
  return names.length === 0 ? [] : [`both ${names.join(" and ")}`];
}

/** Books whose name couldn't be spelled at all were told apart by their folders, and still are. */
const repetitionKey = ({ slug, derivedFrom }: SourceBook): string =>
  derivedFrom && createFormerSlug(derivedFrom.name) === "" ? createFormerFolderSlug(derivedFrom.key) : slug;

export const SAME_NAME =
  "Its name is that of another book. Rename one, use --group folder, or list both in a catalogue.";
