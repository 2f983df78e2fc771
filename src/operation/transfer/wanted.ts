/** Completes a book of a library: what is declared comes first, the metadata of its files fills the rest. */
import type { BookCreation, BookTranslation } from "../../schemas/books.schemas.ts";
import { MAX_COVER_BYTES } from "../../schemas/covers.schemas.ts";
import type { CloudFileCreation } from "../../schemas/files.schemas.ts";
import { createTitle } from "./layout.ts";
import type { BookFile, DerivedFrom, SourceBook, SourceTranslation } from "./library.ts";
import { readSmallFile } from "./local-files.ts";
import { type Metadata, NO_METADATA } from "./metadata/metadata.ts";

export interface WantedCover {
  /** For messages. */
  subject: string;
  /** Of an image beside the book; undefined for a cover in a file. */
  place?: string;
  /** Undefined for the default cover. */
  languageCode: string | undefined;
  /** Of the image, or of the file that contains it; undefined if it isn't known. */
  sha256: string | undefined;
  read(): Promise<Buffer>;
}

export interface WantedBook {
  slug: string;
  derivedFrom: DerivedFrom | undefined;
  fields: Omit<BookCreation, "translations">;
  /** `borrowed`: the title of another language, because there is no English edition. */
  titleOrigin: "own" | "borrowed" | "name";
  translations: WantedTranslation[];
  links: CloudFileCreation[];
  files: BookFile[];
  covers: WantedCover[];
  /** Where editions are described, by language: a new one needs a title. */
  described: ReadonlyMap<string, string>;
  /** As in the source: where a catalogue describes it, and which book somebody has chosen. */
  place: string | undefined;
  chosen: string | undefined;
}

/** An edition. One in the service keeps its title if none is known here. */
export interface WantedTranslation extends Omit<BookTranslation, "title"> {
  title: string | undefined;
}

export const isEnglish = (code: string): boolean => /^en(?:-|$)/.test(code);

export function completeBook(source: SourceBook): WantedBook {
  const { slug, derivedFrom, declared, links, files } = source;
  const editions = groupEditions(source);
  const first = editions.find(({ code }) => isEnglish(code)) ?? editions[0];
  const credits = chooseCredits(declared, first, editions);
  const title = chooseTitle(source, first);
  return {
    slug,
    derivedFrom,
    fields: {
      ...declared,
      publishAt: declared.publishAt ?? undefined,
      unpublishAt: declared.unpublishAt ?? undefined,
      slug,
      titleEn: title.text,
      description: chooseDescription(declared, first),
      ...credits,
    },
    titleOrigin: title.origin,
    translations: editions.flatMap((edition) => createTranslation(edition, declared, credits.authors) ?? []),
    links,
    files,
    covers: coversOf(source),
    place: source.place,
    chosen: source.chosen,
    described: new Map(source.translations.map(({ languageCode, place }) => [languageCode, place])),
  };
}

/** What is known of a book in one language. */
interface Edition {
  code: string;
  declared: SourceTranslation | undefined;
  metadata: Metadata;
}

function groupEditions({ translations, files }: SourceBook): Edition[] {
  const codes = [...translations, ...files].map(({ languageCode }) => languageCode);
  return [...new Set(codes)].sort().map((code) => ({
    code,
    declared: translations.find(({ languageCode }) => languageCode === code),
    metadata: mergeMetadata(files.filter(({ languageCode }) => languageCode === code)),
  }));
}

/** The types whose metadata is usually the best come first. */
const RANKS = ["epub", "kepub", "pdf", "m4b", "mp3"];

function mergeMetadata(files: readonly BookFile[]): Metadata {
  const rank = ({ fileType }: BookFile) => (RANKS.indexOf(fileType) + RANKS.length + 1) % (RANKS.length + 1);
  const all = files.toSorted((one, other) => rank(one) - rank(other)).map(({ metadata }) => metadata);
  const [corrected] = files.flatMap(({ file: { correction } }) => correction?.title ?? []);
  const text = (key: "title" | "description" | "publisher" | "license" | "isbn" | "series" | "cover") =>
    all.find((metadata) => metadata[key] !== undefined);
  const list = (key: "authors" | "contributors" | "tags") => all.find((metadata) => metadata[key].length > 0);
  return {
    title: corrected ?? text("title")?.title,
    description: text("description")?.description,
    publisher: text("publisher")?.publisher,
    license: text("license")?.license,
    isbn: text("isbn")?.isbn,
    series: text("series")?.series,
    cover: text("cover")?.cover,
    authors: list("authors")?.authors ?? NO_METADATA.authors,
    contributors: list("contributors")?.contributors ?? NO_METADATA.contributors,
    tags: list("tags")?.tags ?? NO_METADATA.tags,
  };
}

function chooseTitle({ declared, name }: SourceBook, first: Edition | undefined) {
  const text = first?.declared?.title ?? first?.metadata.title;
  if (declared.titleEn !== undefined) return { text: declared.titleEn, origin: "own" } as const;
  if (first && text !== undefined)
    return { text, origin: isEnglish(first.code) ? "own" : "borrowed" } as const;
  return { text: createTitle(name) || name, origin: "name" } as const;
}

const chooseDescription = (
  declared: SourceBook["declared"],
  first: Edition | undefined,
): string | undefined =>
  declared.description ?? (first && isEnglish(first.code) ? first.metadata.description : undefined);

/** Those of the English edition, or else of the first that has any. */
function chooseCredits(
  declared: SourceBook["declared"],
  first: Edition | undefined,
  editions: readonly Edition[],
) {
  const all = [...(first ? [first] : []), ...editions];
  const authors = all
    .map((edition) => edition.declared?.authors ?? edition.metadata.authors)
    .find((names) => names.length > 0);
  return {
    authors: declared.authors ?? authors,
    tags: declared.tags ?? all.map(({ metadata }) => metadata.tags).find((tags) => tags.length > 0),
    series: declared.series ?? all.find(({ metadata }) => metadata.series)?.metadata.series,
  };
}

/** Undefined if nothing is known of the edition: readers then get the English title. */
function createTranslation(
  { code, declared, metadata }: Edition,
  { titleEn }: SourceBook["declared"],
  bookAuthors: readonly string[] | undefined,
): WantedTranslation | undefined {
  const ofBook = declared && isEnglish(code) ? titleEn : undefined;
  const title = declared?.title ?? metadata.title ?? ofBook;
  const isOwn = metadata.authors.join() !== bookAuthors?.join();
  const known = {
    authors: declared?.authors ?? (isOwn && metadata.authors.length > 0 ? metadata.authors : undefined),
    contributors: declared?.contributors ?? given(metadata.contributors),
    publisher: declared?.publisher ?? metadata.publisher,
    license: declared?.license ?? metadata.license,
    isbn: declared?.isbn ?? metadata.isbn,
  };
  // The English description is that of the book.
  const description = declared?.description ?? (isEnglish(code) ? undefined : metadata.description);
  const isKnown = title !== undefined || Object.values(known).some((value) => value !== undefined);
  return isKnown ? { languageCode: code, title, description, ...known } : undefined;
}

const given = <T>(list: readonly T[]): T[] | undefined => (list.length > 0 ? [...list] : undefined);

/** Covers beside the book come before those in its files. */
function coversOf({ slug, covers, files }: SourceBook): WantedCover[] {
  const beside = covers.map(({ file, languageCode }) => ({
    subject: file.place,
    place: file.place,
    languageCode,
    sha256: file.sha256,
    read: () => readSmallFile(file, MAX_COVER_BYTES),
  }));
  const inFiles = [...Map.groupBy(files, ({ languageCode }) => languageCode)].flatMap(
    ([languageCode, ofLanguage]) => {
      const isBeside = beside.some((cover) => cover.languageCode === languageCode);
      const { cover: read } = mergeMetadata(ofLanguage);
      if (!read || isBeside) return [];
      const { sha256 } = ofLanguage.find(({ metadata }) => metadata.cover === read)?.file ?? {};
      return [{ subject: `cover of ${slug} in ${languageCode}`, languageCode, sha256, read }];
    },
  );
  return [...beside, ...inFiles];
}
