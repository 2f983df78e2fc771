/** Makes a library of a folder without a catalogue: paths and metadata say what belongs together. */
import { createHash } from "node:crypto";
import { slugOf } from "../lib/slug.ts";
import { fileTypeOfName } from "../schemas/file-types.ts";
import { type Candidate, type Examined, examineAll } from "./examine.ts";
import { baseCode, type Languages } from "./language-codes.ts";
import { bookKeys, codesIn, type Grouping, type Place, placeOf } from "./layout.ts";
import type { BookFile, CoverFile, Failure, Library, SourceBook } from "./library.ts";
import type { LocalFile } from "./local-files.ts";
import type { MetadataReader } from "./metadata/metadata-reader.ts";

export interface FolderOptions {
  grouping: Grouping;
  /** For files whose language neither path nor metadata says. */
  languageCode: string | undefined;
}

export interface SourceDeps {
  languages: Languages;
  reader: MetadataReader;
  failures: Failure[];
  /** Receives what is left out, as sentences. */
  notices: string[];
  progress: { begin(doing: string, total: number, done: () => number): void };
}

interface Placed {
  file: LocalFile;
  place: Place;
}

const COVER = /\.(?:jpe?g|png|webp)$/i;
/** Texts about a collection are no books. */
const ABOUT = /^(?:readme|licen[cs]e|copying|credits|changelog|notice)\.(?:txt|html?)$/i;

export async function folderLibrary(
  files: readonly LocalFile[],
  options: FolderOptions,
  deps: SourceDeps,
): Promise<Library> {
  const { languages } = deps;
  await languages.learn(files.flatMap(({ place }) => codesIn(place)));
  const placed = files.map((file) => ({
    file,
    place: placeOf(file.place, (code) => languages.isKnown(code)),
  }));
  const books = placed.filter(
    ({ file: { name } }) => fileTypeOfName(name) !== undefined && !ABOUT.test(name),
  );
  const examined = await examinePlaced(books, options, deps);
  const keyOf = bookKeys(examined, options.grouping);
  const grouped = new Map<string, SourceBook>();
  for (const file of examined) {
    const key = keyOf(file.place);
    const book = grouped.get(key) ?? emptyBook(key);
    grouped.set(key, book);
    addFile(book, file, deps.failures);
  }
  const covers = placed.filter(({ file: { name } }) => COVER.test(name));
  for (const cover of covers) addCover(grouped, keyOf, cover);
  const sorted = [...grouped.values()].sort((one, other) => (one.slug < other.slug ? -1 : 1));
  return { languages: [], books: withoutRepetitions(sorted, deps.failures), skipped: [] };
}

const emptyBook = (key: string): SourceBook => {
  const name = key.slice(key.lastIndexOf("/") + 1);
  const common = { declared: {}, translations: [], links: [], files: [], covers: [] };
  return { slug: slugOf(name) || hashedSlug(key), name, ...common };
};

/** For names in other scripts: the same in the next run. */
const hashedSlug = (key: string): string =>
  `book-${createHash("sha256").update(key.normalize("NFC")).digest("hex").slice(0, 8)}`;

async function examinePlaced(
  books: readonly Placed[],
  { languageCode: usual }: FolderOptions,
  { languages, reader, failures, progress }: SourceDeps,
): Promise<(BookFile & Placed)[]> {
  let done = 0;
  progress.begin("Reading metadata", books.length, () => done);
  const candidates = books.map(({ file }): Candidate => ({ file, fileType: undefined }));
  const results = await examineAll(candidates, { reader, failures }, () => {
    done += 1;
  });
  const inMetadata = results.flatMap((result) => result?.metadata.languageCode ?? []);
  await languages.learn(inMetadata.flatMap((code) => [code, baseCode(code)]));
  const examined = books.flatMap(({ file, place }, index) => {
    const result = results[index];
    const ofFile = result?.metadata.languageCode;
    const own = place.languageCode ?? (ofFile && languages.resolve(ofFile));
    return result ? [{ file, place, own, ...result }] : [];
  });
  const languageOf = siblingLanguages(examined);
  return examined.flatMap((each) => {
    const languageCode = languageOf(each) ?? usual;
    if (languageCode !== undefined) return [{ ...each, languageCode }];
    failures.push({ subject: each.file.place, reason: NO_LANGUAGE });
    return [];
  });
}

interface Resolved extends Examined {
  place: Place;
  /** The language of its path or its metadata. */
  own: string | undefined;
}

/**
 * The language of a file, or of those with the same name: few PDFs have one, and word processors write their own into
 * them.
 */
function siblingLanguages(files: readonly Resolved[]): (file: Resolved) => string | undefined {
  const nameOf = ({ place: { folders, stem } }: Resolved) => [...folders, stem].join("/");
  const sole = (siblings: readonly Resolved[]): Map<string, string | undefined> =>
    new Map(
      [...Map.groupBy(siblings, nameOf)].map(([name, same]) => {
        const [code, another] = new Set(same.map(({ own }) => own).filter((own) => own !== undefined));
        return [name, another === undefined ? code : undefined];
      }),
    );
  const ofEpubs = sole(files.filter(isEpub));
  const ofAll = sole(files);
  return (file) => {
    if (file.place.languageCode !== undefined || (isEpub(file) && file.own !== undefined)) return file.own;
    return ofEpubs.get(nameOf(file)) ?? file.own ?? ofAll.get(nameOf(file));
  };
}

const isEpub = ({ fileType }: Examined): boolean => fileType === "epub" || fileType === "kepub";

const NO_LANGUAGE =
  "Its language is unknown. Put it in a folder such as en/, name it book.en.pdf, or set --language.";

export function addFile(book: SourceBook, file: BookFile, failures: Failure[]): void {
  const { languageCode, fileType } = file;
  const known = book.files.find((each) => each.languageCode === languageCode && each.fileType === fileType);
  if (!known) book.files.push(file);
  else {
    const reason = `The book ${book.slug} already has ${known.file.place} as its ${fileType} in ${languageCode}.`;
    failures.push({ subject: file.file.place, reason });
  }
}

/** A cover has the name of the book, or is `cover` in a folder of the book. */
function addCover(
  books: ReadonlyMap<string, SourceBook>,
  keyOf: (place: Place) => string,
  { file, place }: Placed,
): void {
  const ofFolder = place.folders.join("/");
  const book = books.get(keyOf(place)) ?? (/^(?:cover|folder)?$/i.test(place.stem) && books.get(ofFolder));
  const cover: CoverFile = { file, languageCode: place.languageCode };
  const isFirst = book && !book.covers.some(({ languageCode }) => languageCode === cover.languageCode);
  if (isFirst) book.covers.push(cover);
}

/** Two books with equal names would become one. */
function withoutRepetitions(books: readonly SourceBook[], failures: Failure[]): SourceBook[] {
  const bySlug = new Map<string, SourceBook>();
  for (const book of books) {
    const known = bySlug.get(book.slug);
    if (!known) bySlug.set(book.slug, book);
    else {
      const places = book.files.map(({ file }) => file.place).join(", ");
      const other = known.files[0]?.file.place;
      const reason = `Its name is that of another book (${other}). Rename one, or list both in a catalogue.`;
      failures.push({ subject: places, reason });
    }
  }
  return [...bySlug.values()];
}
