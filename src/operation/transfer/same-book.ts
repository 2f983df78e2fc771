/** Whether a book of a library is one that the service has. Its slug alone doesn't say it: slugs drop what they can't spell. */
import { canonicalizeTitle, createFormerFolderSlug, createFormerSlug, createSlug } from "../../lib/slug.ts";
import { foldForSearch } from "../../lib/text.ts";
import { parsePlace, removeExtension } from "./layout.ts";
import type { BookFile, DerivedFrom } from "./library.ts";
import type { StoredBook } from "./target.ts";
import { isEnglish, type WantedBook } from "./wanted.ts";

/** `unsure`: it could be this book, or another one. */
export type Choice = { kind: "new" } | { kind: "same" | "unsure"; stored: StoredBook };

/** The SHA-256 of files that can be read. */
export type Hashes = ReadonlyMap<BookFile, string>;

/**
 * The book with the same bytes, or else with the same name if it has room, or if title and authors or the ISBN are equal.
 * @param candidates in order: of several alike the first is chosen
 */
export function chooseBook(
  wanted: WantedBook,
  derivedFrom: DerivedFrom,
  candidates: readonly StoredBook[],
  hashes: Hashes,
): Choice {
  const named = candidates.filter((stored) => hasName(stored, derivedFrom));
  const [best, next] = candidates
    .map((stored) => ({
      stored,
      weight: weighBytes(wanted, stored, hashes),
      isNamed: named.includes(stored),
    }))
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => Number(other.isNamed) - Number(one.isNamed) || other.weight - one.weight);
  if (best) {
    const isAlone = best.isNamed !== next?.isNamed || best.weight > next.weight;
    return { kind: isAlone ? "same" : "unsure", stored: best.stored };
  }
  const isOccupied = (stored: StoredBook) => findOccupied(wanted, stored).length > 0;
  const fitting =
    named.find((stored) => isOccupied(stored) && isConfirmed(wanted, stored)) ??
    named.find((stored) => !isOccupied(stored));
  if (fitting) return { kind: "same", stored: fitting };
  const owner = candidates.find(({ book }) => book.slug === wanted.slug);
  // With another name, accents and case count.
  if (owner && isConfirmed(wanted, owner, canonicalizeTitle)) return { kind: "same", stored: owner };
  const perhaps = named[0] ?? owner;
  return perhaps ? { kind: "unsure", stored: perhaps } : { kind: "new" };
}

/** How many files have their bytes in the book; in their own place they count twice. */
function weighBytes({ files }: WantedBook, stored: StoredBook, hashes: Hashes): number {
  return files.reduce((sum, file) => {
    const sha256 = hashes.get(file);
    const same = sha256 === undefined ? [] : stored.files.filter((each) => each.sha256 === sha256);
    return sum + (same.length === 0 ? 0 : same.some((each) => isSamePlace(each, file)) ? 2 : 1);
  }, 0);
}

interface FilePlace {
  languageCode: string;
  fileType: string;
}

export const isSamePlace = (one: FilePlace, other: FilePlace): boolean =>
  one.languageCode === other.languageCode && one.fileType === other.fileType;

/** The files in whose place the book has another one. */
const findOccupied = ({ files }: WantedBook, stored: StoredBook): BookFile[] =>
  files.filter((file) => stored.files.some((each) => each.isActive === 1 && isSamePlace(each, file)));

/** Without regard to case, white space, and the signs that stand for it in file names. */
const canonicalizeName = (name: string): string =>
  name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[-_\s]+/g, " ")
    .trim();

/** Whether the book has the name as its title, or as the name of a file or of its former folder. */
function hasName({ book, translations, files }: StoredBook, { name, key }: DerivedFrom): boolean {
  if (book.slug === createFormerFolderSlug(key)) return true;
  const stems = files.flatMap(({ fileName }) => [
    removeExtension(fileName),
    parsePlace(fileName, () => true).stem,
  ]);
  const texts = [book.titleEn, ...translations.map(({ title }) => title), ...stems];
  const wanted = canonicalizeName(name);
  if (texts.some((text) => canonicalizeName(text) === wanted)) return true;
  // Of a folder that the service doesn't know, unless the slug is what is left of another text.
  const ofSlug = canonicalizeName(book.slug);
  return ofSlug === wanted && !texts.some((text) => isLeftOf(text, book.slug));
}

const isLeftOf = (text: string, slug: string): boolean =>
  [createSlug(text), createFormerSlug(text)].includes(slug);

/** Whether titles and authors, or ISBNs, are equal in each language in which the book has other bytes. */
function isConfirmed(wanted: WantedBook, stored: StoredBook, fold = foldForSearch): boolean {
  const occupied = findOccupied(wanted, stored).map(({ languageCode }) => languageCode);
  const codes = occupied.length > 0 ? occupied : wanted.translations.map(({ languageCode }) => languageCode);
  return codes.length > 0 && codes.every((code) => isSameEdition(wanted, stored, code, fold));
}

function isSameEdition(
  wanted: WantedBook,
  { book, translations }: StoredBook,
  code: string,
  fold: (title: string) => string,
): boolean {
  const edition = wanted.translations.find(({ languageCode }) => languageCode === code);
  const known = translations.find(({ languageCode }) => languageCode === code);
  if (edition?.isbn && edition.isbn === known?.isbn) return true;
  const titles = [known?.title, ...(known && !isEnglish(code) ? [] : [book.titleEn])];
  const title = fold(edition?.title ?? wanted.fields.titleEn);
  if (!titles.some((each) => each !== undefined && fold(each) === title)) return false;
  const authors = foldNames(edition?.authors ?? wanted.fields.authors);
  const knownAuthors = foldNames(known?.authors?.length ? known.authors : book.authors);
  // Many formats don't say them.
  return authors === "" || knownAuthors === "" || authors === knownAuthors;
}

const foldNames = (names: readonly string[] | null | undefined): string =>
  (names ?? []).map(foldForSearch).sort().join("\n");
